// Command slowest runs go test with the given arguments, and prints at the end which packages
// took longest. Arguments after -- are for a separate run, which happens even if the previous
// run fails:
//
//	go run ./tests/slowest -race ./rules ./server -- -race -p 1 ./tests/...
//
// It prints the output of go test, and exits with the first exit code that is not 0.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"time"
)

const shown = 10

func main() {
	status, err := run(os.Stdout, commands(os.Args[1:])...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "slowest:", err)
	}
	os.Exit(status)
}

// commands makes one go test command for each list of arguments between two --.
func commands(args []string) []*exec.Cmd {
	var all []*exec.Cmd
	for {
		end := slices.Index(args, "--")
		if end < 0 {
			return append(all, goTest(args))
		}
		all = append(all, goTest(args[:end]))
		args = args[end+1:]
	}
}

func goTest(args []string) *exec.Cmd {
	return exec.Command("go", append([]string{"test"}, args...)...)
}

// run runs all commands, one after the other, and reports on the packages.
func run(out io.Writer, commands ...*exec.Cmd) (status int, err error) {
	var families []family
	for _, command := range commands {
		ran, ended, failed := runOne(out, command)
		families = append(families, ran...)
		status, err = cmp.Or(status, ended), errors.Join(err, failed)
	}
	return status, errors.Join(err, report(out, families))
}

func runOne(out io.Writer, command *exec.Cmd) (families []family, status int, err error) {
	command.Stderr = os.Stderr
	printed, err := command.StdoutPipe()
	if err != nil {
		return nil, 1, err
	}
	if err := command.Start(); err != nil {
		return nil, 1, fmt.Errorf("starting go test: %w", err)
	}
	families, err = follow(out, printed)
	if err != nil {
		command.Process.Kill() // otherwise it would wait for a reader
		return families, 1, errors.Join(err, command.Wait())
	}
	err = command.Wait()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.Exited() {
		return families, failed.ExitCode(), nil
	} else if err != nil {
		return families, 1, err
	}
	return families, 0, nil
}

// A family is a package with tests.
type family struct {
	name string
	took time.Duration
}

// ended matches the line in which go test says that it has run a package.
var ended = regexp.MustCompile(`^(?:ok  |FAIL)\t(\S+)\t([0-9.]+s)\b`)

// follow copies the output of go test, and collects the time of each package.
func follow(out io.Writer, printed io.Reader) ([]family, error) {
	var families []family
	for lines := bufio.NewReader(printed); ; {
		line, err := lines.ReadString('\n')
		if _, err := io.WriteString(out, line); err != nil {
			return nil, err
		}
		if found := ended.FindStringSubmatch(line); found != nil {
			took, err := time.ParseDuration(found[2])
			if err != nil {
				return nil, fmt.Errorf("the line %q: %w", line, err)
			}
			families = append(families, family{found[1], took})
		}
		if err == io.EOF {
			return families, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// report prints the slowest packages, and the sum of all times. Cached packages took no time.
func report(out io.Writer, families []family) error {
	slices.SortStableFunc(families, func(a, b family) int { return cmp.Compare(b.took, a.took) })
	var sum time.Duration
	for _, f := range families {
		sum += f.took
	}
	if _, err := fmt.Fprintf(out, "\nThe slowest of %d packages, which took %v in sum:\n", len(families), sum.Round(time.Second)); err != nil {
		return err
	}
	for _, f := range families[:min(shown, len(families))] {
		if _, err := fmt.Fprintf(out, "%8.1f s  %s\n", f.took.Seconds(), f.name); err != nil {
			return err
		}
	}
	return nil
}
