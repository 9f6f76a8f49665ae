package boot

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/command"
)

// A program is the built command, serving its example.
type program struct {
	*exec.Cmd
	addr, outer string // 127.0.0.1:port, and the outer frame's address
	log         *bufio.Scanner
	client      http.Client
}

var outerLine = regexp.MustCompile(`(?m)^outer +(http://[^:]+:(\d+)/\w+)$`)

func startProgram(t *testing.T, flags ...string) *program {
	t.Helper()
	p := &program{Cmd: exec.Command(command.Build(t), append([]string{"serve", "--addr", "127.0.0.1:0"}, flags...)...)}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.log = bufio.NewScanner(log)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })         // an error means that it has ended
	late := time.AfterFunc(time.Minute, p.killForLate) // this also ends each read below
	t.Cleanup(func() { late.Stop() })
	lines := bufio.NewScanner(out)
	var text string
	for range 3 {
		if !lines.Scan() {
			t.Fatalf("the program printed %q: %v", text, lines.Err())
		}
		text += lines.Text() + "\n"
	}
	found := outerLine.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no outer frame in %q", text)
	}
	p.outer, p.addr = found[1], "127.0.0.1:"+found[2]
	// With this, the body of a request is sent only when its handler reads it.
	p.client.Transport = &http.Transport{ExpectContinueTimeout: time.Minute, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, p.addr)
	}}
	t.Cleanup(p.client.CloseIdleConnections)
	return p
}

func (p *program) killForLate() { _ = p.Process.Kill() }

// address finds one of the addresses in the outer frame's page.
func (p *program) address(t *testing.T, name string) string {
	t.Helper()
	r, err := http.NewRequest("GET", p.outer, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Dest", "iframe")
	response, err := p.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`"` + name + `":"([^"]+)"`).FindSubmatch(page)
	if found == nil {
		t.Fatalf("the outer frame's page names no %s", name)
	}
	return p.outer[:strings.LastIndex(p.outer, "/")] + string(found[1])
}

// ask sends a request as the outer frame does.
func (p *program) ask(method, url string, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequest(method, url, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if body != nil {
		r.Header.Set("Expect", "100-continue")
	}
	return p.client.Do(r)
}

// waitLog reads the log up to the line with this message.
func (p *program) waitLog(t *testing.T, message string) {
	t.Helper()
	for p.log.Scan() {
		var line struct{ Msg string }
		if err := json.Unmarshal(p.log.Bytes(), &line); err != nil {
			t.Fatalf("the log line %q is not JSON: %v", p.log.Bytes(), err)
		}
		if strings.HasPrefix(line.Msg, message) {
			return
		}
	}
	t.Fatalf("the log has no line %q", message)
}

// When it is signaled to end, the program informs its streams, finishes pending requests, and
// exits with status 0. At a second signal it ends at once.
func TestProgramEndsInOrder(t *testing.T) {
	for _, again := range []bool{false, true} {
		t.Run(fmt.Sprintf("again=%v", again), func(t *testing.T) {
			p := startProgram(t, "--log-format", "json", "--log-level", "debug")
			stream, err := p.ask("GET", p.address(t, "events"), nil)
			if err != nil || stream.StatusCode != 200 {
				t.Fatal(err, stream)
			}
			defer stream.Body.Close()
			// A pending request: part of its body has yet to come.
			body, rest := io.Pipe()
			answered := make(chan string, 1)
			reports := p.address(t, "reports")
			go func() {
				response, err := p.ask("POST", reports, body)
				if err != nil {
					answered <- err.Error()
					return
				}
				response.Body.Close()
				answered <- response.Status
			}()
			if _, err := io.WriteString(rest, `{"page":[]`); err != nil {
				t.Fatal(err)
			}
			p.waitLog(t, "request")
			if err := p.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			p.waitLog(t, "shutting down")
			told, err := io.ReadAll(stream.Body)
			if err != nil || !strings.Contains(string(told), `"step":"ending"`) {
				t.Errorf("the stream ends with %q, %v", told, err)
			}
			if again {
				p.endNow(t)
				return
			}
			if _, err := io.WriteString(rest, `}`); err != nil {
				t.Fatal(err)
			}
			rest.Close()
			if got := <-answered; got != "204 No Content" {
				t.Errorf("the request in the middle gets %s", got)
			}
			for p.log.Scan() {
			}
			if err := p.Wait(); err != nil {
				t.Errorf("the program ends with %v", err)
			}
		})
	}
}

// endNow signals the program until it ends. That happens at the second signal or soon after
// it: the program has to process the first one.
func (p *program) endNow(t *testing.T) {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		for p.log.Scan() {
		}
		ended <- p.Wait()
	}()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		// Signal fails when the program has ended.
		_ = p.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-ended:
			if status := p.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
				t.Errorf("after a second signal, the program ends with %v; want the signal", err)
			}
			return
		case <-tick.C:
		}
	}
}
