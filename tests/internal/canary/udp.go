package canary

import (
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
)

// UDP opens a UDP port for one token and returns its address. It records every
// datagram, and answers a STUN binding request as a STUN server does.
func (c *Canary) UDP(token string) (addr string) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if socket := c.udp[token]; socket != nil {
		return socket.LocalAddr().String()
	}
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		c.t.Fatalf("canary: %v", err)
	}
	c.udp[token] = socket
	c.wg.Go(func() { c.readUDP(socket, token) })
	return socket.LocalAddr().String()
}

func (c *Canary) readUDP(socket *net.UDPConn, token string) {
	buf := make([]byte, maxBody)
	for {
		n, from, err := socket.ReadFromUDPAddrPort(buf)
		if err != nil {
			return // closed at the end of the test
		}
		if c.reached(string(buf[:n])) {
			continue
		}
		datagram := slices.Clone(buf[:n])
		c.record(Hit{Kind: "udp", Token: token, Body: datagram})
		if answer := stunAnswer(datagram, from); answer != nil {
			socket.WriteToUDPAddrPort(answer, from)
		}
	}
}

// The parts of RFC 8489 that a binding request needs.
const (
	stunHeader       = 20
	stunBinding      = 0x0001
	stunSuccess      = 0x0101
	stunXORMapped    = 0x0020
	stunMagic        = 0x2112A442
	stunFamilyIPv4   = 0x01
	stunXORMappedLen = 8
)

// stunAnswer returns the answer to a binding request, or nil for anything else.
func stunAnswer(request []byte, from netip.AddrPort) []byte {
	if len(request) < stunHeader ||
		binary.BigEndian.Uint16(request) != stunBinding ||
		binary.BigEndian.Uint32(request[4:]) != stunMagic {
		return nil
	}
	ip := from.Addr().Unmap().As4()
	b := binary.BigEndian.AppendUint16(nil, stunSuccess)
	b = binary.BigEndian.AppendUint16(b, 4+stunXORMappedLen)
	b = append(b, request[4:stunHeader]...) // magic cookie and transaction
	b = binary.BigEndian.AppendUint16(b, stunXORMapped)
	b = binary.BigEndian.AppendUint16(b, stunXORMappedLen)
	b = append(b, 0, stunFamilyIPv4)
	b = binary.BigEndian.AppendUint16(b, from.Port()^(stunMagic>>16))
	return binary.BigEndian.AppendUint32(b, binary.BigEndian.Uint32(ip[:])^stunMagic)
}
