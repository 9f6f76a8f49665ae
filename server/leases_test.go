package server

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// A holder is a worker as the server sees it.
type holder struct {
	t       *testing.T
	s       *Server
	sandbox *Sandbox
	name    string
}

// state requests the state, as a worker that was told of a revision. It returns how long the
// worker may rely on the answer.
func (h holder) state(told int64) time.Duration {
	h.t.Helper()
	w := answer(h.s, h.sandbox.as("GET", fmt.Sprintf("%s?told=%d&holder=%s", protocol.StatePath, told, h.name), ""))
	length, err := strconv.Atoi(w.Header().Get(protocol.LeaseHeader))
	if w.Code != 200 || err != nil {
		h.t.Fatalf("%s asks for the state: %d, %v", h.name, w.Code, err)
	}
	return time.Duration(length) * time.Millisecond
}

func (h holder) listen() *streamed {
	h.t.Helper()
	st := openStream(h.t, h.s, h.sandbox.as("GET", protocol.ChangesPath+"?holder="+h.name, ""))
	if status := st.answered(); status != 200 {
		h.t.Fatalf("the stream of changes answers %d", status)
	}
	return st
}

// changeTakes makes a change in the bubble. The function that it returns says how long the
// change took.
func changeTakes(t *testing.T, s *Server, sandbox *Sandbox) (took func() time.Duration) {
	t.Helper()
	var done atomic.Int64
	began := time.Now()
	files := fileSet(t, s)
	go func() {
		if _, err := sandbox.SetFiles(files); err != nil {
			t.Error(err)
		}
		done.Store(int64(time.Since(began)) + 1)
	}()
	synctest.Wait()
	return func() time.Duration {
		synctest.Wait()
		return time.Duration(done.Load() - 1) // -1 if it has not returned
	}
}

func TestChangeWaitsForLeases(t *testing.T) {
	one := func(t *testing.T, test func(t *testing.T, s *Server, sandbox *Sandbox, a, b holder)) {
		t.Helper()
		inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
			sandbox := sandboxes[0]
			test(t, s, sandbox, holder{t, s, sandbox, "a"}, holder{t, s, sandbox, "b"})
		})
	}
	t.Run("without a stream there is none", func(t *testing.T) {
		one(t, func(t *testing.T, s *Server, sandbox *Sandbox, a, _ holder) {
			if length := a.state(1); length != 0 {
				t.Errorf("a holder that cannot be notified has a lease of %v", length)
			}
			if took := changeTakes(t, s, sandbox)(); took != 0 {
				t.Errorf("the change took %v", took)
			}
		})
	})
	t.Run("a warm sandbox has none", func(t *testing.T) {
		inBubble(t, Config{}, 0, func(t *testing.T, s *Server, _ []*Sandbox) {
			warm, err := s.Warm(nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			a := holder{t, s, warm[0], "a"}
			a.listen()
			if length := a.state(1); length != 0 {
				t.Errorf("the holder has a lease of %v on a state without files", length)
			}
			if took := changeTakes(t, s, warm[0])(); took != 0 {
				t.Errorf("the change took %v", took)
			}
			if length := a.state(2); length == 0 {
				t.Error("the holder has no lease on the files")
			}
		})
	})
	t.Run("a request without a holder gets no lease", func(t *testing.T) {
		one(t, func(t *testing.T, s *Server, sandbox *Sandbox, _, _ holder) {
			nobody := holder{t, s, sandbox, ""}
			nobody.listen()
			if length := nobody.state(1); length != 0 {
				t.Errorf("a request without a holder has a lease of %v", length)
			}
		})
	})
	t.Run("until the holder was told", func(t *testing.T) {
		one(t, func(t *testing.T, s *Server, sandbox *Sandbox, a, _ holder) {
			changes := a.listen()
			if length := a.state(1); length <= 0 || length >= leaseTime {
				t.Fatalf("the lease is %v, and the server waits for %v", length, leaseTime)
			}
			took := changeTakes(t, s, sandbox)
			pass(300 * time.Millisecond)
			if took() >= 0 || changes.text() != "1\n2\n" {
				t.Errorf("the change took %v; its stream says %q", took(), changes.text())
			}
			// Confirming the older revision changes nothing.
			if a.state(1); took() >= 0 {
				t.Errorf("the change did not wait until the holder was notified")
			}
			if a.state(2); took() != 300*time.Millisecond {
				t.Errorf("the change took %v", took())
			}
		})
	})
	t.Run("the end of the sandbox waits, too", func(t *testing.T) {
		one(t, func(t *testing.T, s *Server, sandbox *Sandbox, a, _ holder) {
			a.listen()
			a.state(1)
			pass(200 * time.Millisecond)
			began := time.Now()
			if !s.Remove(sandbox.ID()) {
				t.Fatal("it was not there")
			}
			if took := time.Since(began); took != leaseTime-200*time.Millisecond {
				t.Errorf("the removal took %v", took)
			}
			v, _ := sandbox.Version()
			if length := sandbox.Lease(a.name, v); length != 0 {
				t.Errorf("after the end there is a lease of %v", length)
			}
		})
	})
	t.Run("until it is over", func(t *testing.T) {
		one(t, func(t *testing.T, s *Server, sandbox *Sandbox, a, _ holder) {
			changes := a.listen()
			a.state(1)
			// The stream has ended, but the holder may still be there.
			changes.cancel()
			<-changes.ended
			pass(200 * time.Millisecond)
			took := changeTakes(t, s, sandbox)
			if length := a.state(1); length != 0 {
				t.Errorf("the holder whose stream has ended has a lease of %v", length)
			}
			pass(leaseTime)
			if want := leaseTime - 200*time.Millisecond; took() != want {
				t.Errorf("the change took %v, want %v", took(), want)
			}
			if took := changeTakes(t, s, sandbox)(); took != 0 {
				t.Errorf("the next change took %v", took)
			}
		})
	})
	t.Run("for each holder", func(t *testing.T) {
		one(t, func(t *testing.T, s *Server, sandbox *Sandbox, a, b holder) {
			a.listen()
			b.listen()
			a.state(1)
			pass(100 * time.Millisecond)
			b.state(1)
			took := changeTakes(t, s, sandbox)
			// Leases on the new revision delay nobody, and do not end leases on the old one.
			if a.state(2); took() >= 0 {
				t.Errorf("the change did not wait for the other holder: %v", took())
			}
			pass(leaseTime)
			if took() != leaseTime {
				t.Errorf("the change took %v", took())
			}
		})
	})
	t.Run("one change does not wait for the next", func(t *testing.T) {
		one(t, func(t *testing.T, s *Server, sandbox *Sandbox, a, _ holder) {
			a.listen()
			a.state(1)
			first := changeTakes(t, s, sandbox)
			if a.state(2); first() != 0 {
				t.Errorf("the first change took %v", first())
			}
			pass(500 * time.Millisecond)
			second := changeTakes(t, s, sandbox)
			if length := a.state(2); length == 0 || second() >= 0 {
				t.Errorf("the second change took %v; the lease on the newest revision is %v", second(), length)
			}
			pass(leaseTime)
			if second() != leaseTime/2 {
				t.Errorf("the second change took %v", second())
			}
		})
	})
	t.Run("not in a sandbox that is removed", func(t *testing.T) {
		one(t, func(t *testing.T, s *Server, sandbox *Sandbox, a, _ holder) {
			a.listen()
			a.state(1)
			took := changeTakes(t, s, sandbox)
			if s.Remove(sandbox.ID()); took() != 0 {
				t.Errorf("the change took %v", took())
			}
		})
	})
	t.Run("not for what was refused", func(t *testing.T) {
		inBubble(t, Config{Limits: Limits{Requests: Rate{PerSecond: .01, Burst: 1}}}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
			sandbox := sandboxes[0]
			a := holder{t, s, sandbox, "a"}
			leave := sandbox.Listen(a.name)
			defer leave()
			a.state(1)
			took := changeTakes(t, s, sandbox)
			w := answer(s, sandbox.as("GET", protocol.StatePath+"?told=2&holder=a", ""))
			if wantRefusal(t, w, 429, "too-many-requests", w.Header().Get("Retry-After")); took() != 0 {
				t.Errorf("a refused request tells nothing: the change took %v", took())
			}
		})
	})
	t.Run("a word without the secret counts for nothing", func(t *testing.T) {
		one(t, func(t *testing.T, s *Server, sandbox *Sandbox, a, _ holder) {
			a.listen()
			a.state(1)
			took := changeTakes(t, s, sandbox)
			r := sandbox.as("GET", protocol.StatePath+"?told=2&holder=a", "")
			r.Header.Set(protocol.SecretHeader, "another")
			if w := answer(s, r); w.Code != 403 || took() >= 0 {
				t.Errorf("%d; the change took %v", w.Code, took())
			}
		})
	})
}

// A worker that waits for a newer state gets it as soon as there is one. The change does not
// wait for the worker, which has acknowledged the revision with its request.
func TestHeldStates(t *testing.T) {
	held := func(t *testing.T, s *Server, sandbox *Sandbox, name string) *streamed {
		t.Helper()
		return openStream(t, s, sandbox.as("GET", protocol.StatePath+"?have=1&told=2&newer=1&holder="+name, ""))
	}
	for name, test := range map[string]func(t *testing.T, s *Server, sandbox *Sandbox, a holder){
		"until there is a newer one": func(t *testing.T, s *Server, sandbox *Sandbox, a holder) {
			a.listen()
			a.state(1)
			answer := held(t, s, sandbox, a.name)
			pass(300 * time.Millisecond)
			if status := answer.answered(); status != 0 {
				t.Fatalf("nothing has changed, and it was answered by %d", status)
			}
			if length := a.state(2); length != 0 {
				t.Errorf("a holder that has acknowledged the next revision has a lease of %v on this one", length)
			}
			if took := changeTakes(t, s, sandbox)(); took != 0 {
				t.Errorf("the change took %v", took)
			}
			if status := answer.answered(); status != 200 || !strings.Contains(answer.text(), `"revision":2`) {
				t.Errorf("%d %s", status, answer.text())
			}
		},
		"no longer than the limit": func(t *testing.T, s *Server, sandbox *Sandbox, a holder) {
			answer := held(t, s, sandbox, a.name)
			pass(protocol.HeldFor)
			if status := answer.answered(); status != 204 {
				t.Errorf("%d %s", status, answer.text())
			}
		},
		"no longer than the sandbox is there": func(t *testing.T, s *Server, sandbox *Sandbox, a holder) {
			answer := held(t, s, sandbox, a.name)
			if status := answer.answered(); status != 0 {
				t.Fatalf("nothing has changed, and it was answered by %d", status)
			}
			s.Remove(sandbox.ID())
			if status := answer.answered(); status != 503 || !strings.Contains(answer.text(), codeEnding) {
				t.Errorf("%d %s", status, answer.text())
			}
		},
		"not at all if it is newer": func(t *testing.T, s *Server, sandbox *Sandbox, a holder) {
			changeTakes(t, s, sandbox)()
			if answer := held(t, s, sandbox, a.name); answer.answered() != 200 {
				t.Errorf("%d %s", answer.answered(), answer.text())
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
				test(t, s, sandboxes[0], holder{t, s, sandboxes[0], "a"})
			})
		})
	}
}

// Changes of many sandboxes at once wait only for their own holders.
func TestChangesWaitApart(t *testing.T) {
	inBubble(t, Config{}, 200, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		silent := holder{t, s, sandboxes[0], "silent"}
		silent.listen()
		silent.state(1)
		began := time.Now()
		waits := changeTakes(t, s, sandboxes[0])
		for _, sandbox := range sandboxes[1:] {
			if took := changeTakes(t, s, sandbox)(); took != 0 {
				t.Fatalf("the change of another sandbox took %v", took)
			}
		}
		if waits() >= 0 || time.Since(began) != 0 {
			t.Errorf("the silent holder's sandbox has changed within %v", waits())
		}
		pass(leaseTime)
	})
}
