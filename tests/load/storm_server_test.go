package load

import (
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A stormAnswer is the answer of tests/internal/stormserver to any command.
type stormAnswer struct {
	Port              int
	ID, URL, OuterURL string
	Made, Refused     int
	Heap, Peak        int64 // bytes
}

type stormSandbox struct {
	Policy string
	Files  map[string]string
}

// stormSandboxes is the server's limit on sandboxes.
const stormSandboxes = 500

// A storm is the running server.
type storm struct {
	port    int
	in      io.WriteCloser
	answers *json.Decoder
	log     stormLog
}

// stormLog counts the lines of the server's log by their message.
type stormLog struct {
	mu      sync.Mutex
	rest    []byte
	lines   map[string]int // by message
	started time.Time
}

func (l *stormLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, b...)
	for {
		line, rest, found := strings.Cut(string(l.rest), "\n")
		if !found {
			return len(b), nil
		}
		l.rest = []byte(rest)
		_, message, _ := strings.Cut(line, "msg=")
		if quoted, isQuoted := strings.CutPrefix(message, `"`); isQuoted {
			message, _, _ = strings.Cut(quoted, `"`)
		} else {
			message, _, _ = strings.Cut(message, " ")
		}
		l.lines[message]++
	}
}

func (l *stormLog) count(message string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines[message]
}

// startStorm starts the server. At the end of the test the server must end by itself.
func startStorm(t *testing.T) *storm {
	t.Helper()
	s := &storm{log: stormLog{lines: map[string]int{}, started: time.Now()}}
	server := exec.Command(command.BuildPackage(t, "tests/internal/stormserver"))
	server.Stderr = &s.log
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if s.in, err = server.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.in.Close()
		late := time.AfterFunc(60*time.Second, func() { server.Process.Kill() })
		defer late.Stop()
		if err := server.Wait(); err != nil {
			t.Errorf("the storm's server: %v; it logged %v", err, s.log.lines)
		}
	})
	s.answers = json.NewDecoder(out)
	s.port = s.answer(t).Port
	return s
}

func (s *storm) ask(t *testing.T, command string) stormAnswer {
	t.Helper()
	if _, err := io.WriteString(s.in, command+"\n"); err != nil {
		t.Fatal(err)
	}
	return s.answer(t)
}

func (s *storm) answer(t *testing.T) stormAnswer {
	t.Helper()
	var a stormAnswer
	if err := s.answers.Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a
}

func (s *storm) sandbox(t *testing.T, policy string, files map[string]string) stormAnswer {
	t.Helper()
	return s.ask(t, "sandbox "+glass.Literal(t, stormSandbox{policy, files}))
}
