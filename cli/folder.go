package cli

// folderFlags are the flags of the commands that read a folder.
type folderFlags struct {
	Ignore []string `help:"Pattern of what to leave out of the folder, as a line of a .gitignore. Repeat it for more; they count more than those in the folder's own .bellglassignore." sep:"none" placeholder:"PATTERN"`
}
