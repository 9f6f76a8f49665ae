package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// served is a server on a socket.
type served struct {
	*Server
	sandbox *Sandbox
	addr    string
	closed  chan string // local addresses of connections that the server has closed
}

// serveLimited serves with the limits until the test ends.
func serveLimited(t *testing.T, limits Limits) *served {
	t.Helper()
	s, sandboxes := limited(t, limits, 1)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	v := &served{s, sandboxes[0], l.Addr().String(), make(chan string, 1000)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, &Listeners{list: []net.Listener{watchedListener{l, v.closed}}}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return v
}

type watchedListener struct {
	net.Listener
	closed chan string
}

func (l watchedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &watchedConn{c, l.closed}, nil
}

type watchedConn struct {
	net.Conn
	closed chan string
}

func (c *watchedConn) Close() error {
	err := c.Conn.Close()
	if err == nil {
		c.closed <- c.RemoteAddr().String()
	}
	return err
}

// dial opens a connection and sends text on it.
func (v *served) dial(t *testing.T, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp4", v.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	// If a limit does not work, the test fails instead of never ending.
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

const patience = 30 * time.Second

// waitClosed waits until the server has closed the client's connection.
func (v *served) waitClosed(t *testing.T, c net.Conn) {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case name := <-v.closed:
			if name == c.LocalAddr().String() {
				return
			}
		case <-late:
			t.Fatal("the server does not close the connection")
		}
	}
}

// wire returns a request as its client writes it, without the empty line at the end.
func (sb *Sandbox) wire(method, path string) string {
	r := sb.as(method, path, "")
	text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n", method, r.URL.RequestURI(), r.Host)
	for name, values := range r.Header {
		text += name + ": " + values[0] + "\r\n"
	}
	return text
}

// answers reads one answer. Its body ends with the connection, because closing the body of a
// stream would wait for the stream's end.
func answers(t *testing.T, c net.Conn) *http.Response {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// Beyond the limit, the connection that has waited longest is closed, whether it has sent
// nothing or a part of a header. A busy connection never is.
func TestConnectionsAreLimited(t *testing.T) {
	v := serveLimited(t, Limits{Connections: 3})
	stream := v.dial(t, v.sandbox.wire("GET", "/events")+"\r\n")
	if response := answers(t, stream); response.StatusCode != 200 {
		t.Fatal(response.Status)
	}
	state := v.sandbox.wire("GET", protocol.StatePath)
	silent := v.dial(t, "")
	half := v.dial(t, state)
	for _, longest := range []net.Conn{silent, half} {
		if response := answers(t, v.dial(t, state+"\r\n")); response.StatusCode != 200 {
			t.Fatal(response.Status)
		}
		v.waitClosed(t, longest)
	}
	v.sandbox.say(1, "still here")
	if lines := bufio.NewScanner(stream); !scanFor(lines, "still here") {
		t.Errorf("the stream was closed, too: %v", lines.Err())
	}
}

func scanFor(lines *bufio.Scanner, text string) bool {
	for lines.Scan() {
		if strings.Contains(lines.Text(), text) {
			return true
		}
	}
	return false
}

// Which connection is closed, in all orders of what can happen to connections.
func TestLongestWaitingConnection(t *testing.T) {
	for _, row := range []struct{ does, closes string }{
		{"new a, new b", ""},
		{"new a, new b, new c", "a"},
		{"new a, new b, new c, new d", "a b"},
		{"new a, active a, new b, new c", "b"},
		{"new a, active a, new b, active b, new c", "c"},
		{"new a, active a, new b, active b, idle b, idle a, new c", "b"},
		{"new a, active a, new b, active b, idle a, idle b, new c", "a"},
		{"new a, active a, idle a, active a, new b, new c", "b"},
		{"new a, new b, closed a, new c", ""},
		{"new a, active a, new b, hijacked a, new c", ""},
		// The server reports the end of a closed connection only later. Until then the
		// connection is not closed a second time.
		{"new a, new b, new c, active a, closed a, new d", "a b"},
		{"new a, new b, new c, closed a, closed b, new d", "a"},
	} {
		connections, closed := newConnections(2), []string{}
		all := map[string]*namedConn{}
		for step := range strings.SplitSeq(row.does, ", ") {
			what, name, _ := strings.Cut(step, " ")
			if all[name] == nil {
				all[name] = &namedConn{name: name, closed: &closed}
			}
			for state := http.StateNew; state <= http.StateClosed; state++ {
				if state.String() == what {
					connections.observe(all[name], state)
				}
			}
		}
		if got := strings.Join(closed, " "); got != row.closes {
			t.Errorf("%s: closed %q, want %q", row.does, got, row.closes)
		}
		for name := range all {
			connections.observe(all[name], http.StateClosed)
		}
		if len(connections.open) != 0 || connections.waiting.Len() != 0 {
			t.Errorf("%s: %d are left, %d wait", row.does, len(connections.open), connections.waiting.Len())
		}
	}
}

type namedConn struct {
	net.Conn
	name   string
	closed *[]string
}

func (c *namedConn) Close() error {
	*c.closed = append(*c.closed, c.name)
	return nil
}

// If all connections are busy, the new one is closed.
func TestConnectionsAtWorkAreKept(t *testing.T) {
	v := serveLimited(t, Limits{Connections: 2})
	for range 2 {
		if response := answers(t, v.dial(t, v.sandbox.wire("GET", "/events")+"\r\n")); response.StatusCode != 200 {
			t.Fatal(response.Status)
		}
	}
	c := v.dial(t, "")
	v.waitClosed(t, c)
	if in := v.streams.used.Load(); in != 2 {
		t.Errorf("%d streams are left", in)
	}
}

// A client that sends a header or a body slowly is cut off, even if its request is refused
// before the body is read.
func TestSlowClientsAreCutOff(t *testing.T) {
	v := serveLimited(t, Limits{HeaderTime: 50 * time.Millisecond, BodyTime: 50 * time.Millisecond})
	before := logged(v.sandbox, 0)
	verdicts := v.sandbox.wire("POST", protocol.VerdictsPath)
	for name, text := range map[string]string{
		"silent":                 "",
		"half a header":          verdicts,
		"half a body":            verdicts + "Content-Length: 100\r\n\r\n{",
		"no end of chunks":       verdicts + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
		"a body that none reads": strings.Replace(verdicts, v.sandbox.secret, "wrong", 1) + "Content-Length: 100\r\n\r\n{",
		"a GET with a body":      v.sandbox.wire("GET", protocol.StatePath) + "Content-Length: 100\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			v.waitClosed(t, v.dial(t, text))
		})
	}
	// The client is told why, if it is still there.
	response := answers(t, v.dial(t, verdicts+"Content-Length: 100\r\n\r\n{"))
	if body, _ := io.ReadAll(response.Body); response.StatusCode != 408 || !strings.Contains(string(body), "body-timeout") {
		t.Errorf("half a body: %s %s", response.Status, body)
	}
	if after := logged(v.sandbox, 0); len(after) != len(before) || v.bodies.used.Load() != 0 {
		t.Errorf("%d events were logged, %d bytes are still counted", len(after)-len(before), v.bodies.used.Load())
	}
}

// A client that never reads is cut off, and every other still gets its events. The other one
// must be on time itself. It was seen not to be within 50 ms, so the limit here is longer.
func TestReadersThatNeverReadAreCutOff(t *testing.T) {
	v := serveLimited(t, Limits{WriteTime: 2 * time.Second})
	deaf := v.dial(t, v.sandbox.wire("GET", "/events")+"\r\n")
	other := v.dial(t, v.sandbox.wire("GET", "/events")+"\r\n")
	heard := make(chan bool, 1)
	go func() { heard <- scanFor(bufio.NewScanner(other), "the last one") }()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		v.waitClosed(t, deaf)
	}()
	// Sockets buffer some megabytes, so there must be more to send.
	for long := strings.Repeat("x", 32<<10); ; {
		v.sandbox.say(1, long)
		select {
		case <-closed:
		default:
			continue
		}
		break
	}
	v.sandbox.say(1, "the last one")
	if !<-heard {
		t.Error("the other stream has ended as well")
	}
}

// An answer may take as long as it likes if the client receives some of it in time: each step
// has its own deadline.
func TestAnswersHaveADeadlineForEachStep(t *testing.T) {
	limits := Limits{WriteTime: time.Minute}
	w := &deadlines{}
	limits.patient(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n, err := w.Write(make([]byte, 3*writeStep+1))
		if n != 3*writeStep+1 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("wrote %d, %v", n, err)
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
	})).ServeHTTP(w, must(http.NewRequest("GET", "http://localhost/", nil)))
	want := fmt.Sprintf("deadline deadline %[1]d deadline %[1]d deadline %[1]d deadline 1 deadline flush", writeStep)
	if got := strings.Join(w.did, " "); got != want {
		t.Errorf("it did %s, want %s", got, want)
	}
}

// deadlines is a response that records the calls. The deadline expires at the last byte.
type deadlines struct {
	http.ResponseWriter
	did []string
}

func (d *deadlines) Write(b []byte) (int, error) {
	d.did = append(d.did, fmt.Sprint(len(b)))
	if len(b) == 1 {
		return 1, os.ErrDeadlineExceeded
	}
	return len(b), nil
}

func (d *deadlines) SetWriteDeadline(time.Time) error {
	d.did = append(d.did, "deadline")
	return nil
}

func (d *deadlines) FlushError() error {
	d.did = append(d.did, "flush")
	return nil
}
