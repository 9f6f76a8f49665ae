package canary

import (
	"cmp"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/ipv4"
)

// domain is the suffix of a Network's names.
const domain = "canary.test"

// A Network is a canary for a separate network namespace (package netns), in which
// every token has a host: a name and an address. So everything that is sent there
// belongs to the token, even if it says nothing: a lookup of the name or of one below
// it, a connection, a datagram, bytes that are not a request. The zero value is not
// usable.
type Network struct {
	*Canary
	named  bool // hosts have names, not only addresses
	hosts  map[string]netip.Addr
	tokens map[netip.Addr]string
}

// StartNetwork starts a canary on one port of every address. It answers lookups at the
// address resolver. If resolver is "", hosts have addresses but no names.
func StartNetwork(t testing.TB, resolver string) *Network {
	t.Helper()
	n := &Network{Canary: create(t), named: resolver != "", hosts: map[string]netip.Addr{}, tokens: map[netip.Addr]string{}}
	n.server.Handler = http.HandlerFunc(n.obey)
	t.Cleanup(n.close)
	certificate, err := selfSigned()
	if err != nil {
		t.Fatalf("canary: making a certificate: %v", err)
	}
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatalf("canary: %v", err)
	}
	n.port = l.Addr().(*net.TCPAddr).Port
	n.serve(&listener{Listener: l, c: n.Canary, tokenAt: n.tokenAt, tls: &tls.Config{
		Certificates: []tls.Certificate{certificate},
		NextProtos:   []string{"http/1.1"},
	}})
	n.hearDatagrams()
	if n.named {
		n.answerNames(resolver)
	}
	return n
}

// Host returns the name of a token's host, which it creates on first use, or its
// address if there are no names.
func (n *Network) Host(token string) string {
	n.t.Helper()
	if strings.Trim(token, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || token == "" || len(token) > 63 {
		n.t.Fatalf("canary: %q cannot be a token: it is a label of a name", token)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	address, ok := n.hosts[token]
	if !ok {
		count := len(n.hosts) + 1
		address = netip.AddrFrom4([4]byte{127, 1, byte(count >> 8), byte(count)})
		n.hosts[token], n.tokens[address] = address, token
	}
	if n.named {
		return token + "." + domain
	}
	return address.String()
}

// Address returns the address of a token's host.
func (n *Network) Address(token string) string {
	n.Host(token)
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.hosts[token].String()
}

// Origin returns the origin of a token's host over HTTP.
func (n *Network) Origin(token string) string {
	return "http://" + net.JoinHostPort(n.Host(token), strconv.Itoa(n.port))
}

// Strays returns what arrived for no token: lookups of other names, and connections and
// datagrams to other addresses.
func (n *Network) Strays() []Hit { return n.Hits("") }

func (n *Network) tokenAt(local net.Addr) string {
	address, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.tokens[address.Addr().Unmap()]
}

// obey answers like any canary, except for two paths by which hostile code chooses the
// answer: /redirect?to=URL, and /answer?status=S&type=T&body=B&header=NAME:VALUE.
func (n *Network) obey(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	switch r.URL.Path {
	case "/redirect":
		n.respond(w, r, RedirectTo(query.Get("to")))
	case "/answer":
		status, err := strconv.Atoi(cmp.Or(query.Get("status"), "200"))
		if err != nil || status < 200 || status > 599 {
			status = http.StatusBadRequest
		}
		answer := Answer{Status: status, Header: http.Header{"Content-Type": {query.Get("type")}}, Body: query.Get("body")}
		for _, header := range query["header"] {
			name, value, _ := strings.Cut(header, ":")
			answer.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
		}
		n.respond(w, r, answer)
	default:
		n.answer(w, r)
	}
}

// hearDatagrams records UDP datagrams to the port, whatever the address.
func (n *Network) hearDatagrams() {
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{Port: n.port})
	if err != nil {
		n.t.Fatalf("canary: %v", err)
	}
	n.mu.Lock()
	n.udp[""] = socket
	n.mu.Unlock()
	packets := ipv4.NewPacketConn(socket)
	if err := packets.SetControlMessage(ipv4.FlagDst, true); err != nil {
		n.t.Fatalf("canary: %v", err)
	}
	n.wg.Go(func() {
		buffer := make([]byte, maxBody)
		for {
			size, control, from, err := packets.ReadFrom(buffer)
			if err != nil {
				return // closed at the end of the test
			}
			if n.reached(string(buffer[:size])) {
				continue
			}
			datagram := slices.Clone(buffer[:size])
			n.record(Hit{Kind: "udp", Token: n.tokenAt(&net.UDPAddr{IP: control.Dst}), Body: datagram})
			if answer := stunAnswer(datagram, from.(*net.UDPAddr).AddrPort()); answer != nil {
				packets.WriteTo(answer, &ipv4.ControlMessage{Src: control.Dst}, from)
			}
		}
	})
}

// Seen encodes in letters what arrived for a token: H an HTTP request, W a WebSocket, U
// a datagram, X bytes on a connection that are not a request, T a connection and
// nothing more, D a lookup and nothing else. It returns "" if nothing arrived.
func (n *Network) Seen(token string) string {
	kinds, conns, spoke := map[string]bool{}, map[int]string{}, map[int]bool{}
	for _, h := range n.Hits(token) {
		switch h.Kind {
		case "http":
			kinds["H"], spoke[h.Conn] = true, true
		case "websocket":
			kinds["W"], spoke[h.Conn] = true, true
		case "udp":
			kinds["U"] = true
		case "dns":
			kinds["D"] = true
		case "tcp":
			conns[h.Conn] = "T"
			if len(h.Body) > 0 {
				conns[h.Conn] = "X"
			}
		}
	}
	for number, letter := range conns {
		if !spoke[number] {
			kinds[letter] = true
		}
	}
	seen := ""
	for _, letter := range []string{"H", "W", "U", "X", "T"} {
		if kinds[letter] && (letter != "T" || seen == "") {
			seen += letter
		}
	}
	if seen == "" && kinds["D"] {
		return "D"
	}
	return seen
}
