package canary

import (
	"net"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// SlowDomain is a domain of the network whose lookups are slow. A name in it has an
// address once [Network.Host] was called for its first label.
const SlowDomain = "slow." + domain

// slowness is how long a lookup of a name below SlowDomain takes.
const slowness = 600 * time.Millisecond

// answerNames is the only name server. A name of the network has its host's address,
// *.localhost is the loopback, and no other name exists. Each question is a hit, except
// those for localhost. Questions below [SlowDomain] are answered late, as by a distant
// name server.
func (n *Network) answerNames(at string) {
	socket, err := net.ListenPacket("udp4", at)
	if err != nil {
		n.t.Fatalf("canary: answering names: %v", err)
	}
	n.mu.Lock()
	n.udp["dns"] = socket
	n.mu.Unlock()
	n.wg.Go(func() {
		buffer := make([]byte, maxBody)
		for {
			size, from, err := socket.ReadFrom(buffer)
			if err != nil {
				return // closed at the end of the test
			}
			if n.reached(string(buffer[:size])) {
				continue
			}
			answer, slow := n.resolve(buffer[:size])
			switch {
			case answer == nil:
			case slow:
				time.AfterFunc(slowness, func() { socket.WriteTo(answer, from) })
			default:
				socket.WriteTo(answer, from)
			}
		}
	})
}

// resolve records a question and returns the answer, or nil if the message is no
// question.
func (n *Network) resolve(message []byte) (answer []byte, slow bool) {
	var parser dnsmessage.Parser
	header, err := parser.Start(message)
	if err != nil {
		return nil, false
	}
	question, err := parser.Question()
	if err != nil {
		return nil, false
	}
	name := strings.ToLower(strings.TrimSuffix(question.Name.String(), "."))
	address, exists := n.lookUp(name)

	header.Response, header.Authoritative, header.RecursionAvailable = true, true, true
	if !exists {
		header.RCode = dnsmessage.RCodeNameError
	}
	builder := dnsmessage.NewBuilder(nil, header)
	builder.EnableCompression()
	var built []byte
	if err := builder.StartQuestions(); err != nil {
		return nil, false
	}
	if err := builder.Question(question); err != nil {
		return nil, false
	}
	if exists && question.Type == dnsmessage.TypeA {
		if err := builder.StartAnswers(); err != nil {
			return nil, false
		}
		resource := dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET, TTL: 60}
		if err := builder.AResource(resource, dnsmessage.AResource{A: address.As4()}); err != nil {
			return nil, false
		}
	}
	if built, err = builder.Finish(); err != nil {
		return nil, false
	}
	return built, strings.HasSuffix(name, "."+SlowDomain)
}

func (n *Network) lookUp(name string) (address netip.Addr, exists bool) {
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), true
	}
	token := ""
	if labels, ours := strings.CutSuffix(name, "."+domain); ours {
		token = labels[strings.LastIndexByte(labels, '.')+1:]
	}
	n.mu.Lock()
	address, exists = n.hosts[token]
	n.mu.Unlock()
	if !exists {
		token = ""
	}
	n.record(Hit{Kind: "dns", Token: token, Host: name})
	return address, exists
}
