package transform

import (
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/protocol"
)

// Limits of a request and its result.
const (
	// MaxSource is the maximum size of a source file, in bytes.
	MaxSource = 1 << 20
	// MaxConfig is the maximum size of a source's configuration, in bytes.
	MaxConfig = 64 << 10
	// MaxOutput is the maximum size of the code that a source is compiled to, in bytes. The
	// largest ordinary source needs a third of it, with its source map.
	MaxOutput = 16 << 20
	// MaxProblems is the maximum number of errors of a source, and of its warnings.
	MaxProblems = 100
	// maxText is the maximum size, in bytes, of each text of a diagnostic.
	maxText = 2 << 10
)

// A LimitError says that a source needs more time or memory than may be spent on it.
type LimitError struct {
	// Limit says which limit the source exceeds, as the beginning of a sentence.
	Limit string
}

// Error says what happened, and what to do.
func (e *LimitError) Error() string {
	return e.Limit + ". The source nests too deeply or is too large. Split it, or put JavaScript that you compiled yourself into the sandbox."
}

// Refused returns the problem of a source that is too large to be transformed, or nil.
func Refused(s Source) []protocol.Diagnostic {
	switch {
	case len(s.Text) > MaxSource:
		return refusal(s.Path, fmt.Sprintf("The file has %d bytes, and a source that Bellglass compiles has at most %d. Split it, or compile it yourself.", len(s.Text), MaxSource))
	case len(s.Config) > MaxConfig:
		return refusal(s.Path, fmt.Sprintf("The compiler options for the file have %d bytes in its tsconfig.json, and at most %d are allowed. Shorten them.", len(s.Config), MaxConfig))
	}
	return nil
}

// overflow returns the problem of a source whose code is too large, or nil.
func overflow(file string, size int) []protocol.Diagnostic {
	if size <= MaxOutput {
		return nil
	}
	return refusal(file, fmt.Sprintf("The file compiles to %d bytes, and at most %d are allowed. The source nests too deeply or is too large. Split it, or compile it yourself.", size, MaxOutput))
}

func refusal(file, text string) []protocol.Diagnostic {
	return []protocol.Diagnostic{{Severity: protocol.SeverityError, File: file, Line: 1, Column: 1, Text: text}}
}

// shortened returns the beginning of a text. A line of minified code can have a MiB, and each of
// thousands of errors names it.
func shortened(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "")
}
