package selftest

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Seen is what arrived, as letters: see the constants. "" means that nothing arrived.
type Seen string

// The letters, in the order in which they appear in a [Seen].
const (
	seenHTTP      = "H"
	seenWebSocket = "W"
	seenTLS       = "S" // only a TLS hello with the technique's name in it
	seenConn      = "C" // a connection that carried nothing with a name
	seenDatagram  = "U"

	seenOrder = seenHTTP + seenWebSocket + seenTLS + seenConn + seenDatagram
)

// with returns s with the letter added.
func (s Seen) with(letter string) Seen {
	var b strings.Builder
	for _, each := range seenOrder {
		if strings.ContainsRune(string(s)+letter, each) {
			b.WriteRune(each)
		}
	}
	return Seen(b.String())
}

// signs returns s in the letters of package escape. There, a TLS hello is bytes without a
// request.
func (s Seen) signs() string {
	return strings.NewReplacer(seenTLS, "X", seenConn, "T").Replace(string(s))
}

// domain is the suffix of all names of a run.
const domain = ".localhost"

// A trap is a port on the loopback addresses, for TCP and UDP, that records what reaches it.
// It answers every request and allows everything.
type trap struct {
	port    int
	server  *http.Server
	packets []net.PacketConn
	reading sync.WaitGroup

	mu      sync.Mutex
	tokens  map[string]*record // by the token in a host name or server name
	nobody  record             // arrivals that name no technique
	pending map[*conn]bool     // connections that have sent nothing yet
}

// A record is what arrived for one technique.
type record struct {
	seen Seen
	// first is the first request, for people to read.
	first string
}

// openTrap listens. It records arrivals for each of the tokens. All other arrivals are
// recorded for nobody.
func openTrap(certificate *tls.Certificate, tokens []string) (*trap, error) {
	listeners, err := listenLoopback()
	if err != nil {
		return nil, fmt.Errorf("opening a port for the canary: %w", err)
	}
	t := &trap{port: port(listeners[0]), tokens: map[string]*record{}, pending: map[*conn]bool{}}
	for _, token := range tokens {
		t.tokens[token] = &record{}
	}
	t.server = newServer(http.HandlerFunc(t.answer))
	t.server.ConnContext = withConn
	for _, l := range listeners {
		host, _, err := net.SplitHostPort(l.Addr().String())
		if err == nil {
			err = t.listenPackets(net.JoinHostPort(host, strconv.Itoa(t.port)))
		}
		if err != nil {
			for _, l := range listeners {
				l.Close()
			}
			t.close()
			return nil, fmt.Errorf("opening a port for the canary: %w", err)
		}
	}
	config := t.tlsConfig(certificate)
	for _, l := range listeners {
		t.reading.Go(func() { t.server.Serve(&trapListener{l, t, config}) })
	}
	return t, nil
}

// listenPackets records datagrams. It answers none: their arrival is all that counts.
func (t *trap) listenPackets(addr string) error {
	socket, err := net.ListenPacket("udp", addr)
	if err != nil {
		return err
	}
	t.packets = append(t.packets, socket)
	t.reading.Go(func() {
		buffer := make([]byte, 64<<10)
		for {
			size, _, err := socket.ReadFrom(buffer)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			// Any other error concerns a datagram that arrived and was too long.
			t.note("", seenDatagram, fmt.Sprintf("a datagram of %d bytes, %.60q", size, buffer[:size]))
		}
	})
	return nil
}

// close ends all connections, and returns when nothing is recorded anymore.
func (t *trap) close() {
	t.server.Close()
	for _, socket := range t.packets {
		socket.Close()
	}
	t.reading.Wait()
}

// note records that something arrived for a token, or for nobody.
func (t *trap) note(token, letter, first string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.tokens[token]
	if r == nil {
		r = &t.nobody
	}
	r.seen = r.seen.with(letter)
	if r.first == "" {
		r.first = clip(first, maxDetail)
	}
}

// of returns what arrived for a token.
func (t *trap) of(token string) record {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.tokens[token]; r != nil {
		return *r
	}
	return record{}
}

// strays returns what arrived for nobody, including connections that have sent nothing.
func (t *trap) strays() record {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.nobody
	if len(t.pending) > 0 {
		r.seen = r.seen.with(seenConn)
	}
	return r
}

// tokenOf returns the label before ".localhost" of a host name, or "" for any other host. All
// names below a technique's name have its token, too.
func tokenOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	name, found := strings.CutSuffix(strings.ToLower(host), domain)
	if !found {
		return ""
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

// listenLoopback opens one free port on both loopback addresses, because a browser may try
// either for a name below localhost. A machine without IPv6 gets one address.
func listenLoopback() ([]net.Listener, error) {
	// The port that is free on one address may be in use on the other.
	const draws = 20
	for draw := 1; ; draw++ {
		v4, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		v6, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port(v4))))
		switch {
		case err == nil:
			return []net.Listener{v4, v6}, nil
		case errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT):
			return []net.Listener{v4}, nil
		}
		v4.Close()
		if draw == draws {
			return nil, err
		}
	}
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }
