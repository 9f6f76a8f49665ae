package vfs

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
)

// A Survey says what a folder contains in total. It is counted, without reading any
// file, after the folder exceeded one of its [Limits]. Files that a snapshot leaves out
// are not counted.
type Survey struct {
	Share
	Folders  int
	FileSize int64 // bytes of the largest file
	Partial  bool  // the count stopped at a limit of its own; there is more
	// Heaviest names up to three files or folders that contain most of it, the heaviest
	// first. For [LimitFileSize] they are the largest files, for other limits those
	// with most of what is limited.
	Heaviest []Share
}

// A Share is a file, or a folder with everything in it.
type Share struct {
	Path  string // "/a.mp4", "/node_modules/"; "/" for the whole
	Files int
	Bytes int64
}

const (
	surveyEntries = 1_000_000 // files and folders that are counted
	surveyShares  = 3
)

// surveyed is a file or folder being counted.
type surveyed struct {
	Share
	folders int
	below   map[string]*surveyed // nil for a file
}

var errSurveyed = errors.New("the survey is over")

// at returns the folder at path, and creates it if necessary.
func (s *surveyed) at(path string) *surveyed {
	for name := range strings.SplitSeq(path, "/") {
		if name == "" {
			continue
		}
		next := s.below[name]
		if next == nil {
			next = &surveyed{Share: Share{Path: s.Path + name + "/"}, below: map[string]*surveyed{}}
			s.below[name] = next
		}
		s = next
	}
	return s
}

// sum adds to each folder everything below it.
func (s *surveyed) sum() {
	for _, below := range s.below {
		below.sum()
		s.Files, s.Bytes, s.folders = s.Files+below.Files, s.Bytes+below.Bytes, s.folders+below.folders
	}
}

// heaviest returns where most of a folder's weight is. It descends while a single entry
// has more than half of its folder's weight.
func (s *surveyed) heaviest(weigh func(*surveyed) int64) []Share {
	byWeight := func(all map[string]*surveyed) []*surveyed {
		return slices.SortedFunc(maps.Values(all), func(a, b *surveyed) int {
			return cmp.Or(cmp.Compare(weigh(b), weigh(a)), strings.Compare(a.Path, b.Path))
		})
	}
	var shares []Share
	for _, one := range byWeight(s.below) {
		if weigh(one)*20 < weigh(s) || len(shares) == surveyShares {
			break // less than 5 % does not help
		}
		for {
			next := byWeight(one.below)
			if len(next) == 0 || weigh(next[0])*2 <= weigh(one) {
				break
			}
			one = next[0]
		}
		shares = append(shares, one.Share)
	}
	return shares
}

// largest returns the largest files.
func (s *surveyed) largest() []Share {
	var files []Share
	var walk func(*surveyed)
	walk = func(at *surveyed) {
		for _, one := range at.below {
			if one.below == nil {
				files = append(files, one.Share)
			} else {
				walk(one)
			}
		}
	}
	walk(s)
	slices.SortFunc(files, func(a, b Share) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Path, b.Path)) })
	return files[:min(len(files), surveyShares)]
}

// survey counts what is in the folder, for the error about an exceeded limit.
func (f *Folder) survey(root *os.Root, ignored ignores, over *LimitError) *Survey {
	s := f.scanner(root, ignored)
	s.counted = &surveyed{Share: Share{Path: "/"}, below: map[string]*surveyed{}}
	err := s.all()
	top := s.counted
	files := top.largest()
	top.sum()
	survey := &Survey{Share: top.Share, Folders: s.folders, Partial: err != nil}
	if len(files) > 0 {
		survey.FileSize = files[0].Bytes
	}
	switch over.What {
	case LimitFileSize:
		survey.Heaviest = slices.DeleteFunc(files, func(file Share) bool { return file.Bytes <= over.Max })
	case LimitTotalSize:
		survey.Heaviest = top.heaviest(func(s *surveyed) int64 { return s.Bytes })
	case LimitFiles:
		survey.Heaviest = top.heaviest(func(s *surveyed) int64 { return int64(s.Files) })
	case LimitFolders:
		survey.Heaviest = top.heaviest(func(s *surveyed) int64 { return int64(s.folders) })
	}
	return survey
}

// count adds a file to the survey.
func (s *scanner) count(path string, size int64) error {
	if err := CheckPath(path, s.limits); err != nil {
		return err
	}
	if s.entries++; s.entries > surveyEntries {
		return errSurveyed
	}
	end := strings.LastIndexByte(path, '/')
	s.counted.at(path[:end]).below[path[end+1:]] = &surveyed{Share: Share{path, 1, size}}
	return nil
}
