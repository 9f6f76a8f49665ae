package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bellglass/bellglass/rules"
)

type rulesCommands struct {
	Check   checkRules    `cmd:"" help:"Check a policy: mistakes, warnings, who enforces each rule, and the size of the headers."`
	Test    testRules     `cmd:"" help:"Run the tests in a policy."`
	CSP     cspOfRules    `cmd:"" name:"csp" help:"Print the Content-Security-Policy and Connection-Allowlist of a policy."`
	Explain explainRules  `cmd:"" help:"Explain the verdict on one request: by which rule, and why."`
	Starter starterRules  `cmd:"" help:"List the starter policies, or print one."`
	Schema  schemaOfRules `cmd:"" help:"Print the JSON Schema of policies, for an editor."`
}

// policyArgument is shared by the commands that read a policy.
type policyArgument struct {
	File string `arg:"" help:"Policy file, or - for standard input."`
	JSON bool   `name:"json" help:"Print one JSON document."`

	texts map[string][]byte // texts of the files that were read
}

// open returns a function that reads the policy's files. For its includes, standard
// input is in the working directory.
func (a *policyArgument) open(in io.Reader) func(name string) ([]byte, error) {
	a.texts = map[string][]byte{}
	return func(name string) (text []byte, err error) {
		if name == "-" && a.File == "-" {
			text, err = io.ReadAll(in)
		} else {
			text, err = os.ReadFile(filepath.FromSlash(name))
		}
		a.texts[name] = text
		return text, err
	}
}

func (a *policyArgument) name() string { return filepath.ToSlash(a.File) }

func (a *policyArgument) load(std streams) (*rules.Policy, error) {
	return rules.Load(a.name(), a.open(std.in))
}

// quote adds its source line to each mistake.
func (a *policyArgument) quote(all []*rules.Error) []*rules.Error {
	for _, e := range all {
		e.Quote(a.texts[e.File])
	}
	return all
}

// refused counts the mistakes, which are printed elsewhere.
func refused(mistakes rules.Errors) error {
	return fmt.Errorf("the policy is refused: %s", count(len(mistakes), "mistake"))
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
