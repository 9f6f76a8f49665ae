package server

import (
	"net"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/selftest"
	"github.com/bellglass/bellglass/vfs"
)

// SelfTest returns the self-test, or nil without [Config.SelfTest].
func (s *Server) SelfTest() *selftest.Service { return s.selfTest }

func (s *Server) offerSelfTest(script []byte) (err error) {
	if !s.config.SelfTest {
		return nil
	}
	s.selfTest, err = selftest.New(selftest.Config{Glass: testGlass{s}, Version: s.config.Version, Script: script, Log: s.config.Log})
	return err
}

// selfTestControls returns the frames that the page of a run may load in addition to the outer
// frame.
func (s *Server) selfTestControls(x *exchange) []string { return s.selfTest.Frames(x.params["run"]) }

// A testGlass makes the sandboxes that the self-test attacks, in the same way as any caller
// would.
type testGlass struct{ server *Server }

func (g testGlass) Sandbox(name string, files map[string][]byte, policy string) (id, outerURL string, err error) {
	snapshot, err := g.server.store.Snapshot(files, vfs.DefaultLimits())
	if err != nil {
		return "", "", err
	}
	parsed, err := rules.Parse("self-test.yaml", []byte(policy))
	if err != nil {
		return "", "", err
	}
	sandbox, err := g.server.Create(Spec{Name: name, Files: snapshot, Policy: parsed})
	if err != nil {
		return "", "", err
	}
	return sandbox.ID(), sandbox.OuterURL(), nil
}

func (g testGlass) Remove(id string) { g.server.Remove(id) }

// Loopback reports whether only this machine can reach the listeners.
func (l *Listeners) Loopback() bool {
	for _, each := range l.list {
		if addr, ok := each.Addr().(*net.TCPAddr); !ok || !addr.IP.IsLoopback() {
			return false
		}
	}
	return true
}
