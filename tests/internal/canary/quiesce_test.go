package canary

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
)

// Each round sends and closes without waiting for an answer, as a page does that is
// removed. After Quiesce everything must be recorded, every time.
func TestQuiesce(t *testing.T) {
	c := Start(t)
	for round := range 50 {
		token := fmt.Sprint("round-", round)
		shared := strings.TrimPrefix(strings.TrimSuffix(c.URL(token, ""), "/"+token+"/"), "http://")
		request := dial(t, shared)
		fmt.Fprintf(request, "POST /%s/x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody", token)
		request.Close()
		dial(t, c.TCP(token)).Close()
		datagram, err := net.Dial("udp", c.UDP(token))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(datagram, "ping")
		datagram.Close()

		if err := c.Quiesce(t.Context()); err != nil {
			t.Fatal(err)
		}
		kinds := map[string]string{}
		for _, hit := range c.Hits(token) {
			kinds[hit.Kind] = string(hit.Body)
		}
		if len(kinds) != 3 || kinds["http"] != "body" || kinds["udp"] != "ping" {
			t.Fatalf("round %d: %q", round, kinds)
		}
	}
	for _, hit := range c.Silent() {
		if !strings.HasPrefix(hit.Token, "round-") {
			t.Errorf("a marker of Quiesce is on record: %+v", hit)
		}
	}
}

func TestQuiesceNamesTheSenderThatIsLeft(t *testing.T) {
	c := Start(t)
	left := dial(t, c.TCP("left"))
	if _, err := c.Wait(t.Context(), "left"); err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() { done <- c.connectionsEnd(ctx) }()
	cancel(enough)
	if err := <-done; !errors.Is(err, enough) || !strings.Contains(err.Error(), left.LocalAddr().String()) {
		t.Errorf("error %v, want one that names %s", err, left.LocalAddr())
	}
	left.Close()
	if err := c.Quiesce(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSTUN(t *testing.T) {
	c := Start(t)
	conn, err := net.Dial("udp", c.UDP("stun"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	request := []byte{0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	if _, err := conn.Write(request); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 100)
	n, err := conn.Read(answer)
	if err != nil {
		t.Fatal(err)
	}
	answer = answer[:n]
	if n != 32 || binary.BigEndian.Uint16(answer) != stunSuccess || string(answer[4:20]) != string(request[4:]) {
		t.Fatalf("answer % x", answer)
	}
	port := binary.BigEndian.Uint16(answer[26:]) ^ (stunMagic >> 16)
	ip := make(net.IP, 4)
	binary.BigEndian.PutUint32(ip, binary.BigEndian.Uint32(answer[28:])^stunMagic)
	if got := fmt.Sprintf("%s:%d", ip, port); got != conn.LocalAddr().String() {
		t.Errorf("mapped address %s, want %s", got, conn.LocalAddr())
	}
	if hits := c.Hits("stun"); len(hits) != 1 || hits[0].Kind != "udp" || len(hits[0].Body) != 20 {
		t.Errorf("hits %+v", hits)
	}
}
