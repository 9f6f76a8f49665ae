package netns

import (
	"net"
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Run(m)) }

// Where namespaces exist, this test runs in one, with two interfaces and nothing else.
func TestOwnNetwork(t *testing.T) {
	if err := Isolated(); err != nil {
		t.Logf("NOT MEASURED: %v", err)
		return
	}
	interfaces, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, i := range interfaces {
		if i.Flags&net.FlagUp != 0 {
			seen = append(seen, i.Name)
		}
	}
	if got := strings.Join(seen, " "); got != "lo far near" && got != "lo near far" {
		t.Errorf("the interfaces that are up are %s", got)
	}
	if text, err := os.ReadFile("/etc/resolv.conf"); err != nil || !strings.Contains(string(text), "nameserver "+strings.TrimSuffix(Resolver, ":53")+"\n") {
		t.Errorf("names are asked of %q (%v)", text, err)
	}
	// Nobody is there, and the packet goes into the pair.
	socket, err := net.Dial("udp", "192.0.2.1:9")
	if err != nil {
		t.Fatalf("there is no way out to lead nowhere: %v", err)
	}
	defer socket.Close()
	if got := socket.LocalAddr().(*net.UDPAddr).IP.String(); got != Outside {
		t.Errorf("it would be sent from %s", got)
	}
}
