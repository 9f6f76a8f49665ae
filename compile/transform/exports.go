package transform

import "encoding/json"

// exportsOf reads the exported names from what esbuild tells about a build of one file.
func exportsOf(metafile string) []string {
	var meta struct {
		Outputs map[string]struct{ Exports []string }
	}
	if json.Unmarshal([]byte(metafile), &meta) != nil {
		return nil // esbuild writes valid JSON
	}
	for _, output := range meta.Outputs {
		if output.Exports != nil {
			return output.Exports
		}
	}
	return nil
}
