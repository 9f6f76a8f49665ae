package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bellglass/bellglass/internal/testca"
)

// overTLS is a public server that terminates TLS itself.
type overTLS struct {
	*Server
	sandbox   *Sandbox
	authority *testca.Authority
	dir       string // of the certificate
	addr      string
	log       *bytes.Buffer // may be read once the server has ended
}

var publicNames = []string{"glass.example.com", "sandbox.example.net", "*.sandbox.example.net"}

func serveTLS(t *testing.T) *overTLS {
	t.Helper()
	o := &overTLS{authority: made(testca.New()), dir: t.TempDir(), log: &bytes.Buffer{}}
	o.issue(t, time.Now().Add(time.Hour), publicNames...)
	log := slog.New(slog.NewTextHandler(o.log, nil))
	listeners := made(Listen("127.0.0.1:0"))
	listeners.TLS(made(LoadCertificate(filepath.Join(o.dir, "cert.pem"), filepath.Join(o.dir, "key.pem"), log)))
	o.addr = listeners.All()[0].Addr().String()
	o.Server, o.sandbox = serverWith(t, Config{PublicURL: "https://glass.example.com", OuterHost: "sandbox.example.net", InnerHost: "{id}.sandbox.example.net", Log: log})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- o.Serve(ctx, listeners) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return o
}

func (o *overTLS) issue(t *testing.T, expires time.Time, names ...string) {
	t.Helper()
	if _, _, err := o.authority.Issue(o.dir, expires, names...); err != nil {
		t.Fatal(err)
	}
}

// client makes its own connections, with HTTP/2 or HTTP/1.1.
func (o *overTLS) client(t *testing.T, http2 bool) *http.Client {
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: o.authority.Pool()}, ForceAttemptHTTP2: http2,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, o.addr)
		},
	}
	if !http2 {
		transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// deafClient makes an HTTP/2 connection that reads nothing between its handshake and the first
// 64 KiB that it writes. Otherwise a slow client of Go would learn the server's header limit
// first, and not send a longer header.
func (o *overTLS) deafClient(t *testing.T, addr string) *http.Client {
	client := o.client(t, true)
	client.Transport.(*http.Transport).DialTLSContext = func(ctx context.Context, network, name string) (net.Conn, error) {
		raw, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		host, _, err := net.SplitHostPort(name)
		if err != nil {
			return nil, err
		}
		deaf := &deafConn{Conn: raw, left: 64 << 10, hears: make(chan struct{})}
		conn := tls.Client(deaf, &tls.Config{RootCAs: o.authority.Pool(), ServerName: host, NextProtos: []string{"h2"}})
		if err := conn.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		deaf.isDeaf.Store(true)
		return conn, nil
	}
	return client
}

// A deafConn reads nothing until it has written enough.
type deafConn struct {
	net.Conn
	isDeaf atomic.Bool
	left   int           // bytes to write; only used by the goroutine that writes
	hears  chan struct{} // closed when no bytes are left
}

func (c *deafConn) Read(b []byte) (int, error) {
	if c.isDeaf.Load() {
		<-c.hears
	}
	return c.Conn.Read(b)
}

func (c *deafConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if c.isDeaf.Load() {
		if c.left -= n; c.left <= 0 || err != nil {
			c.isDeaf.Store(false)
			close(c.hears)
		}
	}
	return n, err
}

func (o *overTLS) get(client *http.Client, url string, header http.Header) (*http.Response, string, error) {
	r := made(http.NewRequest("GET", url, nil))
	r.Header = header
	response, err := client.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, string(body), err
}

// Both versions of HTTP give the same answers with the same policies, even to a request with a
// long header.
func TestTLS(t *testing.T) {
	o := serveTLS(t)
	inner, frame := o.sandbox.URL(), func() http.Header { return http.Header{"Sec-Fetch-Dest": {"iframe"}} }
	if want := "https://" + o.sandbox.ID() + ".sandbox.example.net"; inner != want {
		t.Fatalf("the sandbox is at %s, want %s", inner, want)
	}
	long := func(n int) http.Header {
		h := frame()
		for range n / 4000 {
			h.Add("Cookie", "a="+strings.Repeat("x", 4000-2))
		}
		return h
	}
	for _, row := range []struct {
		name, url string
		header    http.Header
		status    int
		says      string
	}{
		{"outer", o.sandbox.OuterURL(), frame(), 200, "<html"},
		{"inner", inner + "/", frame(), 200, "<html"},
		{"host page", "https://glass.example.com/", http.Header{}, 200, `"signIn":true`},
		{"health", "https://glass.example.com/healthz", http.Header{}, 200, `{"status":"ok"}`},
		{"Chromium's most cookies", inner + "/", long(180 * 4000), 200, "<html"},
		{"a long header", inner + "/", http.Header{"X": {strings.Repeat("x", 100_000)}}, 431, "header-too-large"},
		{"a long address", inner + "/" + strings.Repeat("x", 200_000), frame(), 431, "header-too-large"},
	} {
		for _, version := range []int{1, 2} {
			response, body, err := o.get(o.client(t, version == 2), row.url, row.header)
			if err != nil {
				t.Errorf("%s over HTTP/%d: %v", row.name, version, err)
				continue
			}
			if response.ProtoMajor != version || response.StatusCode != row.status || !strings.Contains(body, row.says) {
				t.Errorf("%s over HTTP/%d: %s %d %.300s", row.name, version, response.Proto, response.StatusCode, body)
			}
			if err := policed(response.Header); err != nil {
				t.Errorf("%s over HTTP/%d: %v", row.name, version, err)
			}
		}
	}
}

// net/http's own answer to a long header over HTTP/2 has no policy, and no client gets it: the
// header is read, or the connection ends. The control is a plain server of net/http.
func TestLongHeadersOverHTTP2(t *testing.T) {
	o := serveTLS(t)
	inner := o.sandbox.URL() + "/"
	header := http.Header{"Sec-Fetch-Dest": {"iframe"}}
	cookies := func(n int) {
		for i := len(header["Cookie"]); i < n; i++ {
			header.Add("Cookie", fmt.Sprintf("%03d%s", i, strings.Repeat("x", 4000))) // 4,041 bytes of the list, 3,509 in frames
		}
	}
	cookies(260)
	response, body, err := o.get(o.client(t, true), inner, header)
	if err != nil || response.StatusCode != 200 || policed(response.Header) != nil {
		t.Errorf("a header that is read: %v %v %.200s", err, response, body)
	}
	plain := made(net.Listen("tcp", "127.0.0.1:0"))
	control := &http.Server{Handler: o.Server, MaxHeaderBytes: maxHeader}
	go control.ServeTLS(plain, filepath.Join(o.dir, "cert.pem"), filepath.Join(o.dir, "key.pem"))
	defer control.Close()
	response, body, err = o.get(o.deafClient(t, plain.Addr().String()), inner, header)
	if err != nil || response.StatusCode != 431 || policed(response.Header) == nil {
		t.Errorf("net/http itself: %v %v %.200s", err, response, body)
	}
	cookies(310)
	if response, body, err = o.get(o.client(t, true), inner, header); err == nil {
		t.Errorf("a header that is too long: %v %.200s", response, body)
	}
	if used := o.headers.used.Load(); used != 0 {
		t.Errorf("%d bytes of the headers' budget are still taken", used)
	}
}

// HTTP on the port of HTTPS gets a text, and policies.
func TestHTTPOnTLS(t *testing.T) {
	o := serveTLS(t)
	answers := raw(t, o.addr, "GET", "GET / HTTP/1.1\r\nHost: glass.example.com\r\nConnection: close\r\n\r\n")
	if len(answers) != 1 || answers[0].status != 400 || !strings.Contains(answers[0].body, "http-on-https") {
		t.Fatalf("%+v", answers)
	}
	if err := policed(answers[0].header); err != nil {
		t.Error(err)
	}
}

// The server reloads a certificate when its files change, but not a broken one.
func TestCertificateIsReadAgain(t *testing.T) {
	o := serveTLS(t)
	serial := func() string {
		conn, err := tls.Dial("tcp", o.addr, &tls.Config{RootCAs: o.authority.Pool(), ServerName: "glass.example.com"})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.String()
	}
	first := serial()
	if again := serial(); again != first {
		t.Errorf("without a change it is %s, and was %s", again, first)
	}
	o.issue(t, time.Now().Add(2*time.Hour), publicNames...)
	second := serial()
	if second == first {
		t.Error("the new certificate is not used")
	}
	if err := os.WriteFile(filepath.Join(o.dir, "cert.pem"), []byte("half written"), 0o644); err != nil {
		t.Fatal(err)
	}
	if third := serial(); third != second {
		t.Error("a broken file has changed the certificate")
	}
	o.issue(t, time.Now().Add(3*time.Hour), publicNames...)
	if fourth := serial(); fourth == second {
		t.Error("after a broken file the new certificate is not used")
	}
}

func TestCertificateCheck(t *testing.T) {
	authority, now := made(testca.New()), time.Now()
	origins := made(Config{PublicURL: "https://glass.example.com", OuterHost: "sandbox.example.net", InnerHost: "{id}.sandbox.example.net"}.Origins())
	prefixed := made(Config{PublicURL: "https://glass.example.com", OuterHost: "sandbox.example.net", InnerHost: "box-{id}.example.net"}.Origins())
	for _, row := range []struct {
		name    string
		expires time.Duration
		names   []string
		origins Origins
		says    string // "" for a good one
	}{
		{"good", time.Hour, publicNames, origins, ""},
		{"expired", -time.Hour, publicNames, origins, "has expired on"},
		{"no wildcard", time.Hour, publicNames[:2], origins, "is not for *.sandbox.example.net, but for glass.example.com sandbox.example.net"},
		{"a wildcard of the level above", time.Hour, []string{"glass.example.com", "*.example.net"}, origins, "is not for *.sandbox.example.net"},
		{"the host page's alone", time.Hour, publicNames[:1], origins, "is not for sandbox.example.net and *.sandbox.example.net"},
		{"a part of a label", time.Hour, publicNames, prefixed, "first label has to be {id} alone"},
	} {
		t.Run(row.name, func(t *testing.T) {
			cert, key, err := authority.Issue(t.TempDir(), now.Add(row.expires), row.names...)
			if err != nil {
				t.Fatal(err)
			}
			err = made(LoadCertificate(cert, key, slog.New(slog.DiscardHandler))).Check(row.origins, now)
			if row.says == "" && err != nil || row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says)) {
				t.Errorf("got %v, want %q", err, row.says)
			}
		})
	}
	if _, err := LoadCertificate(filepath.Join(t.TempDir(), "none.pem"), "", slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "none.pem") {
		t.Errorf("a missing file: %v", err)
	}
}

// Serve rejects TLS listeners if the public URL begins with http: no browser would find them.
func TestTLSNeedsHTTPS(t *testing.T) {
	cert, key, err := made(testca.New()).Issue(t.TempDir(), time.Now().Add(time.Hour), "localhost")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := serverWith(t, Config{})
	listeners := made(Listen("127.0.0.1:0"))
	listeners.TLS(made(LoadCertificate(cert, key, slog.New(slog.DiscardHandler))))
	if got := listeners.URL(); !strings.HasPrefix(got, "https://localhost:") {
		t.Errorf("the listeners' URL is %s", got)
	}
	if err := s.Serve(t.Context(), listeners); err == nil || !strings.Contains(err.Error(), "begin with https") {
		t.Errorf("got %v", err)
	}
}

// Only the length of headers counts, however the frames are split.
func TestFrames(t *testing.T) {
	frame := func(kind, flags byte, n int) []byte {
		return append([]byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags, 0, 0, 0, 1}, make([]byte, n)...)
	}
	const data = 0
	most := maxHeader / 2
	whole := slices.Concat(frame(headersFrame, endHeaders, 100), frame(data, 0, 3*maxHeader), frame(headersFrame, 0, most), frame(continuation, endHeaders, most), frame(data, 0, 0), frame(headersFrame, endHeaders, most), frame(headersFrame, endHeaders, 0))
	long := slices.Concat(whole, frame(headersFrame, 0, most), frame(continuation, 0, most), frame(continuation, endHeaders, 1))
	for _, size := range []int{1, 7, 4096, len(long)} {
		for _, row := range []struct {
			name  string
			bytes []byte
			fails bool
		}{{"within the limit", whole, false}, {"beyond it", long, true}} {
			var f frames
			var err error
			for piece := range slices.Chunk(row.bytes, size) {
				if err = f.read(piece); err != nil {
					break
				}
			}
			if (err != nil) != row.fails {
				t.Errorf("%s, in pieces of %d bytes: %v", row.name, size, err)
			}
			if !row.fails && f.header != 0 {
				t.Errorf("%s, in pieces of %d bytes: %d bytes of a header are left", row.name, size, f.header)
			}
		}
	}
}

// made returns a value, and panics if there is an error.
func made[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
