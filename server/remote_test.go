package server

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// elsewhere makes a loopback listener look like one that other machines can reach.
type elsewhere struct{ net.Listener }

var remoteAddr = &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 3333}

func (elsewhere) Addr() net.Addr { return remoteAddr }

func (l elsewhere) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return remoteConn{c}, err
}

type remoteConn struct{ net.Conn }

func (remoteConn) LocalAddr() net.Addr { return remoteAddr }

// Any client that sends a browser's headers gets the worker's script, and with it the secret.
// So other machines reach nothing unless the configuration allows it. That also holds where a
// caller's own [http.Server] listens.
func TestOtherMachinesReachNothing(t *testing.T) {
	for _, row := range []struct {
		name   string
		config Config
		listen func(net.Listener) net.Listener
		leaks  bool
	}{
		{"loopback", Config{}, func(l net.Listener) net.Listener { return l }, true},
		{"remote", Config{}, func(l net.Listener) net.Listener { return elsewhere{l} }, false},
		{"remote, allowed", Config{AllowRemote: true}, func(l net.Listener) net.Listener { return elsewhere{l} }, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, sandbox := serverWith(t, row.config)
			own := httptest.NewUnstartedServer(s)
			own.Listener = row.listen(own.Listener)
			addr := own.Listener.Addr().String()
			if l, ok := own.Listener.(elsewhere); ok {
				addr = l.Listener.Addr().String()
			}
			own.Start()
			defer own.Close()
			request, err := http.NewRequest("GET", "http://"+addr+protocol.WorkerPath, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = strings.TrimPrefix(sandbox.URL(), "http://")
			request.Header.Set("Sec-Fetch-Dest", "serviceworker")
			request.Header.Set("Service-Worker", "script")
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			var body strings.Builder
			if err := response.Write(&body); err != nil {
				t.Fatal(err)
			}
			if leaks := strings.Contains(body.String(), sandbox.secret); leaks != row.leaks {
				t.Errorf("the secret is sent: %t, want %t:\n%.600s", leaks, row.leaks, body.String())
			}
			if !row.leaks && (response.StatusCode != 403 || !strings.Contains(body.String(), "remote-address") || response.Header.Get("Content-Security-Policy") == "") {
				t.Errorf("the refusal is\n%.600s", body.String())
			}
		})
	}
}

// Serve says what would be exposed before it answers any request.
func TestServeRefusesARemoteAddress(t *testing.T) {
	for _, allowed := range []bool{false, true} {
		s, _ := serverWith(t, Config{AllowRemote: allowed})
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		err = s.Serve(ended, &Listeners{list: []net.Listener{elsewhere{l}}})
		if allowed {
			if err != nil {
				t.Errorf("although it is allowed: %v", err)
			}
			continue
		}
		for _, says := range []string{"192.0.2.1:3333", "secret", "token", "--allow-remote", "AllowRemote"} {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("no %q in %v", says, err)
			}
		}
		if err := l.Close(); err == nil {
			t.Error("the listener is still open")
		}
	}
}
