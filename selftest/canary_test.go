package selftest

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func startTrap(t *testing.T, tokens ...string) *trap {
	t.Helper()
	certificate, err := selfSigned()
	if err != nil {
		t.Fatal(err)
	}
	trap, err := openTrap(certificate, tokens)
	if err != nil {
		t.Fatal(err)
	}
	return trap
}

func dial(t *testing.T, trap *trap) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", trap.port))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return c
}

// ask makes a request by hand and waits for its answer. By then the request is on record.
func ask(t *testing.T, trap *trap, host, more string) *http.Response {
	t.Helper()
	c := dial(t, trap)
	t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "GET /x?secret HTTP/1.1\r\nHost: %s:%d\r\n%s\r\n", host, trap.port, more)
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// An arrival belongs to the technique that its host names, and otherwise to nobody.
func TestTrapAttributes(t *testing.T) {
	trap := startTrap(t, "one", "two")
	ask(t, trap, "one.localhost", "")
	ask(t, trap, "Data.TWO.localhost", "Upgrade: websocket\r\nConnection: upgrade\r\n")
	if got := trap.of("one"); got != (record{"H", "GET /x?secret"}) {
		t.Errorf("one has seen %+v", got)
	}
	if got := trap.of("two").seen; got != "W" {
		t.Errorf("two has seen %q", got)
	}
	if got := trap.strays(); got != (record{}) {
		t.Errorf("unattributed: %+v", got)
	}
	for _, host := range []string{"three.localhost", "one.example", "127.0.0.1", "one.localhost.evil.test"} {
		ask(t, trap, host, "")
	}
	if got := trap.strays().seen; got != "H" {
		t.Errorf("unattributed: %q", got)
	}
	trap.close()
}

// A TLS hello names the technique before the handshake is complete.
func TestTrapReadsServerNames(t *testing.T) {
	trap := startTrap(t, "one")
	c := tls.Client(dial(t, trap), &tls.Config{ServerName: "one.localhost"})
	if err := c.Handshake(); err == nil {
		t.Error("the certificate is trusted")
	}
	c.Close()
	trap.close()
	if got := trap.of("one").seen; got != "S" {
		t.Errorf("one has seen %q", got)
	}
	if got := trap.strays().seen; got != "" {
		t.Errorf("unattributed: %q", got)
	}
}

// Bare connections and datagrams are on record although they name nothing. So are connections
// that have not ended.
func TestTrapCountsWhatNamesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		send func(t *testing.T, trap *trap)
		want Seen
	}{
		{"nothing", func(*testing.T, *trap) {}, ""},
		{"connection", func(t *testing.T, trap *trap) {
			dial(t, trap).Close()
			ask(t, trap, "one.localhost", "") // accepted after the connection
		}, "C"},
		{"silent connection", func(t *testing.T, trap *trap) {
			c := dial(t, trap)
			t.Cleanup(func() { c.Close() })
			ask(t, trap, "one.localhost", "")
			if got := trap.strays().seen; got != "C" {
				t.Errorf("unattributed before the end: %q", got)
			}
		}, "C"},
		{"bytes", func(t *testing.T, trap *trap) {
			c := dial(t, trap)
			fmt.Fprint(c, "\x00\x01\x02 no HTTP\r\n\r\n")
			io.Copy(io.Discard, c)
		}, "C"},
		{"datagram", func(t *testing.T, trap *trap) {
			c, err := net.Dial("udp4", fmt.Sprintf("127.0.0.1:%d", trap.port))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			for trap.strays().seen == "" { // a datagram may be lost
				fmt.Fprint(c, "x")
			}
		}, "U"},
	} {
		t.Run(c.name, func(t *testing.T) {
			trap := startTrap(t, "one")
			c.send(t, trap)
			trap.close()
			if got := trap.strays().seen; got != c.want {
				t.Errorf("unattributed: %q, want %q", got, c.want)
			}
		})
	}
}

func TestTrapAnswers(t *testing.T) {
	trap := startTrap(t, "one")
	defer trap.close()
	for _, c := range []struct {
		path   string
		status int
		header string
		value  string
	}{
		{"/x.js", 200, "Content-Type", "text/javascript"},
		{"/redirect?to=http%3A%2F%2Ftwo.localhost%2F", 302, "Location", "http://two.localhost/"},
		{"/answer?status=418&type=text%2Fcss&header=Link%3A%20%3Cx%3E", 418, "Link", "<x>"},
		{"/answer?status=99", 400, "Access-Control-Allow-Origin", "*"},
	} {
		conn := dial(t, trap)
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: one.localhost\r\n\r\n", c.path)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != c.status || response.Header.Get(c.header) != c.value {
			t.Errorf("%s: %d, %s: %q", c.path, response.StatusCode, c.header, response.Header.Get(c.header))
		}
		conn.Close()
	}
}

func TestTokenOf(t *testing.T) {
	for host, want := range map[string]string{
		"one.localhost": "one", "one.localhost:80": "one", "a.b.one.localhost:80": "one", "ONE.LOCALHOST": "one",
		"localhost": "", "one.localhost.": "", "one.example": "", "": "", "[::1]:80": "", "127.0.0.1": "", ".localhost": "",
	} {
		if got := tokenOf(host); got != want {
			t.Errorf("%q has the token %q, want %q", host, got, want)
		}
	}
}

// The pages of the control are served from their own origins, without any defense.
func TestPlain(t *testing.T) {
	p, err := openPlain("allowed")
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	p.show("page", map[string][]byte{"/index.html": []byte("<p>plain</p>")})
	done := make(chan []end, 1)
	p.await("signal", func(ends []end) { done <- ends })
	get := func(method, host, path, body string) (*http.Response, string) {
		t.Helper()
		request, err := http.NewRequest(method, fmt.Sprintf("http://127.0.0.1:%d%s", p.port, path), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response, string(text)
	}
	response, text := get("GET", "page.localhost", "/", "")
	if response.StatusCode != 200 || text != "<p>plain</p>" || response.Header.Get("Content-Security-Policy") != "" {
		t.Errorf("%d %q %v", response.StatusCode, text, response.Header)
	}
	for _, c := range []struct {
		host, path string
		status     int
	}{
		{"page.localhost", "/none.js", 404}, {"other.localhost", "/", 421}, {"localhost", "/", 421},
		{"allowed.localhost", "/redirect?to=x", 302}, {"signal.localhost", "/ready", 204},
	} {
		if response, _ := get("GET", c.host, c.path, ""); response.StatusCode != c.status {
			t.Errorf("%s%s answers %d, want %d", c.host, c.path, response.StatusCode, c.status)
		}
	}
	if response, _ := get("GET", "page.localhost", gonePath, ""); !strings.Contains(response.Header.Get("Clear-Site-Data"), "storage") {
		t.Error("what a page has stored is not cleared")
	}
	if response, _ := get("POST", "signal.localhost", "/done", "nonsense"); response.StatusCode != 400 {
		t.Errorf("nonsense answers %d", response.StatusCode)
	}
	for range 2 { // the second signal is ignored
		get("POST", "signal.localhost", "/done", `[{"name":"a","end":"done","text":""}]`)
	}
	if ends := <-done; len(ends) != 1 || ends[0].Name != "a" || len(done) != 0 {
		t.Errorf("the page has said %v", ends)
	}
}

// A stranger's page cannot choose what a loopback address answers. Its requests are on record
// nevertheless.
func TestStrangersAreTurnedAway(t *testing.T) {
	const hostile = "/answer?type=text/html&body=%3Cscript%3E1%3C/script%3E&header=x-hostile:yes"
	trap := startTrap(t, "one")
	defer trap.close()
	plain, err := openPlain("allowed")
	if err != nil {
		t.Fatal(err)
	}
	defer plain.close()
	for _, server := range []struct {
		name, known string
		port        int
	}{{"canary", "one.localhost", trap.port}, {"control", "allowed.localhost", plain.port}} {
		for _, host := range []string{server.known, "127.0.0.1", "localhost", "two.localhost", "evil.test", "one.localhost.evil.test", ""} {
			for _, path := range []string{hostile, "/redirect?to=http://evil.test/"} {
				r, err := http.NewRequest(http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d%s", server.port, path), nil)
				if err != nil {
					t.Fatal(err)
				}
				if r.Host = host; host != "" {
					r.Host = fmt.Sprintf("%s:%d", host, server.port)
				}
				response, err := http.DefaultTransport.RoundTrip(r)
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				h := response.Header
				obeyed := h.Get("X-Hostile") != "" || h.Get("Location") != ""
				if known := host == server.known; obeyed != known {
					t.Errorf("%s, host %q, %s: status %d, obeyed %v, want %v", server.name, host, path, response.StatusCode, obeyed, known)
				}
				if host != server.known && (response.StatusCode != http.StatusMisdirectedRequest || h.Get("Access-Control-Allow-Origin") != "" || !strings.HasPrefix(h.Get("Content-Type"), "text/plain")) {
					t.Errorf("%s, host %q, %s: %d %v", server.name, host, path, response.StatusCode, h)
				}
			}
		}
	}
	if got := trap.strays().seen; got != "H" {
		t.Errorf("unattributed: %q", got)
	}
}
