package server

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sw"
	"github.com/bellglass/bellglass/vfs"
)

// A stated is an answer of StatePath as a worker decodes it.
type stated struct {
	Revision int64
	Files    []sw.File
	index    sw.PreloadIndex
	sent     map[string]string // the contents, by hash
}

// readStateResponse decodes a whole response as its documentation says.
func readStateResponse(t testing.TB, response []byte) stated {
	t.Helper()
	part := func(into any) {
		t.Helper()
		if len(response) < 4 || int(binary.LittleEndian.Uint32(response)) > len(response)-4 {
			t.Fatalf("a part of %.20q is cut off", response)
		}
		end := 4 + int(binary.LittleEndian.Uint32(response))
		if err := json.Unmarshal(response[4:end], into); err != nil {
			t.Fatalf("%.300q: %v", response[4:end], err)
		}
		response = response[end:]
	}
	got := stated{sent: map[string]string{}}
	part(&got)
	part(&got.index)
	for _, place := range got.index.Sent {
		file := got.Files[place]
		got.sent[file.Hash] = string(response[:file.Size])
		response = response[file.Size:]
	}
	if len(response) > 0 {
		t.Fatalf("%d bytes of no content", len(response))
	}
	return got
}

// A remembering worker has exactly what the server says that it has.
type remembering struct {
	have   int64
	memory map[string]string
}

func (w *remembering) load(t testing.TB, s *Server, sandbox *Sandbox) stated {
	t.Helper()
	answered := answer(s, sandbox.as("GET", fmt.Sprint(protocol.StatePath, "?have=", w.have), ""))
	if answered.Code != 200 {
		t.Fatalf("have=%d: %d %s", w.have, answered.Code, answered.Body)
	}
	got := readStateResponse(t, answered.Body.Bytes())
	now := maps.Clone(got.sent)
	for _, place := range got.index.Kept {
		hash := got.Files[place].Hash
		content, has := w.memory[hash]
		if !has {
			t.Errorf("have=%d of %d: it is said to have %s", w.have, got.Revision, got.Files[place].Path)
		}
		now[hash] = content
	}
	w.have, w.memory = got.Revision, now
	return got
}

// packedPlainly returns the hashes of the contents that must be in memory, computed from the
// files alone.
func packedPlainly(files []sw.File) map[string]bool {
	all, total := map[string]bool{}, int64(0)
	for _, file := range files {
		if file.Size <= 64<<10 && !all[file.Hash] && total+file.Size <= 8<<20 {
			all[file.Hash] = true
			total += file.Size
		}
	}
	return all
}

// Whatever revisions a worker has missed, an answer gives it the right contents in memory.
// Contents that were preloaded in each revision since then stay, and all others are sent.
func TestWorkersComeToHaveWhatIsPacked(t *testing.T) {
	const revisions = 100
	kept, sent, cut := 0, 0, false
	for seed := range uint64(4) {
		s, sandbox := unlimited(t)
		r := rand.New(rand.NewPCG(seed, 1))
		// One of the series has more contents than fit.
		size := func(content int) int { return 1 + content*10 }
		if seed == 0 {
			size = func(content int) int { return 50<<10 + content*60 }
		}
		texts := map[string]string{}
		history := []map[string]bool{nil, {}} // the preloaded contents, by revision
		workers := []*remembering{{}, {}, {}, {}}
		for revision := int64(2); revision <= revisions; revision++ {
			now, _ := sandbox.Files()
			changes := map[string]vfs.Change{}
			for range 1 + r.IntN(60) {
				// There are few paths and fewer contents, so the same contents come, go, and
				// come back.
				path, content := fmt.Sprintf("/%03d", r.IntN(400)), r.IntN(250)
				if _, there := now.Lookup(path); there && r.IntN(3) == 0 {
					changes[path] = vfs.Delete(path)
				} else {
					changes[path] = vfs.Put(path, bytes.Repeat([]byte{byte(content)}, size(content)))
				}
			}
			edit := Edit{Files: slices.Collect(maps.Values(changes))}
			if r.IntN(6) == 0 {
				edit = Edit{Policy: policyOf(sandbox)}
			}
			if edited, err := sandbox.Edit(edit); err != nil || edited.Revision != revision {
				t.Fatal(edited, err)
			}
			var files []sw.File
			v, _ := sandbox.Version()
			for entry := range v.Files.Entries() {
				files = append(files, sw.File{Hash: entry.Hash.String(), Size: entry.Size})
				blob, _ := v.Files.Blob(entry.Hash)
				data, err := blob.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				texts[entry.Hash.String()] = string(data)
			}
			history = append(history, packedPlainly(files))
			cut = cut || slices.ContainsFunc(files, func(f sw.File) bool { return f.Size <= preloadFileLimit && !history[revision][f.Hash] })
			for _, worker := range workers {
				if r.IntN(4) > 0 {
					continue // the worker is asleep or busy
				}
				had := worker.have
				got := worker.load(t, s, sandbox)
				for hash, content := range worker.memory {
					if content != texts[hash] {
						t.Fatalf("seed %d, from %d to %d: another content", seed, had, revision)
					}
				}
				if diff := cmp.Diff(history[revision], keysOf(worker.memory)); diff != "" {
					t.Fatalf("seed %d, from %d to %d: in memory is (-want +got):\n%s", seed, had, revision, diff)
				}
				for hash := range worker.memory {
					always := had > 0
					for _, preloaded := range history[max(had, 1) : revision+1] {
						always = always && preloaded[hash]
					}
					if _, came := got.sent[hash]; came == always && had > 1 {
						t.Fatalf("seed %d, from %d to %d: preloaded in each is %v, and sent %v", seed, had, revision, always, came)
					}
				}
				if had > 1 {
					kept, sent = kept+len(got.index.Kept), sent+len(got.index.Sent)
				}
			}
		}
	}
	if kept == 0 || sent == 0 || !cut {
		t.Errorf("%d contents were kept, %d sent, and some left out: %v; so this shows nothing", kept, sent, cut)
	}
}

func keysOf(m map[string]string) map[string]bool {
	keys := map[string]bool{}
	for key := range m {
		keys[key] = true
	}
	return keys
}

func setFiles(t testing.TB, s *Server, sandbox *Sandbox, files map[string][]byte) {
	t.Helper()
	snapshot, err := s.Store().Snapshot(files, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.SetFiles(snapshot); err != nil {
		t.Fatal(err)
	}
}

// The server believes a worker's revision if that revision has existed.
func TestStateIsAnsweredByWhatTheWorkerHas(t *testing.T) {
	s, sandbox := newTestServer(t) // revision 1 has /index.html with x
	setFiles(t, s, sandbox, map[string][]byte{"/index.html": []byte("x"), "/a": []byte("second")})
	setFiles(t, s, sandbox, map[string][]byte{
		"/index.html": []byte("x"), "/a": []byte("second"), "/b": []byte("third"), "/c": []byte("third"), "/empty": nil,
		"/just": bytes.Repeat([]byte("j"), preloadFileLimit), "/large": bytes.Repeat([]byte("l"), preloadFileLimit+1),
	})
	all := []string{"/a", "/b", "/empty", "/index.html", "/just"}
	for query, want := range map[string]struct{ kept, sent []string }{
		"":                             {nil, all},
		"?have=":                       {nil, all},
		"?have=0":                      {nil, all},
		"?have=1":                      {[]string{"/index.html"}, []string{"/a", "/b", "/empty", "/just"}},
		"?have=2":                      {[]string{"/a", "/index.html"}, []string{"/b", "/empty", "/just"}},
		"?have=3":                      {},
		"?have=4":                      {nil, all}, // this revision does not exist yet
		"?have=-1":                     {nil, all},
		"?have=x":                      {nil, all},
		"?have=2.0":                    {nil, all},
		"?have=99999999999999999999":   {nil, all},
		"?have=9223372036854775807":    {nil, all},
		"?have=-9223372036854775808":   {nil, all},
		"?have=2&have=0":               {[]string{"/a", "/index.html"}, []string{"/b", "/empty", "/just"}},
		"?have=3%00":                   {nil, all},
		"?told=3&holder=nobody&have=1": {[]string{"/index.html"}, []string{"/a", "/b", "/empty", "/just"}},
	} {
		w := answer(s, sandbox.as("GET", protocol.StatePath+query, ""))
		if want.sent == nil {
			if w.Code != 204 || w.Body.Len() > 0 {
				t.Errorf("%q: %d with %d bytes", query, w.Code, w.Body.Len())
			}
			continue
		}
		if w.Code != 200 || w.Header().Get("Content-Type") != "application/octet-stream" || w.Header().Get("Content-Length") != fmt.Sprint(w.Body.Len()) {
			t.Fatalf("%q: %d, %v", query, w.Code, w.Header())
		}
		got := readStateResponse(t, w.Body.Bytes())
		paths := func(places []int) (all []string) {
			for _, place := range places {
				all = append(all, got.Files[place].Path)
			}
			return all
		}
		if kept, sent := paths(got.index.Kept), paths(got.index.Sent); got.Revision != 3 || !slices.Equal(kept, want.kept) || !slices.Equal(sent, want.sent) {
			t.Errorf("%q: revision %d keeps %v and brings %v, want %v and %v", query, got.Revision, kept, sent, want.kept, want.sent)
		}
		if len(got.sent) != len(want.sent) {
			t.Errorf("%q: %d contents, want %d", query, len(got.sent), len(want.sent))
		}
	}
}

// The cost of a state depends on the contents that come with it. A refused request gets no
// lease.
func TestContentsOfAStateAreCharged(t *testing.T) {
	inBubble(t, Config{Limits: Limits{Requests: Rate{PerSecond: .5, Burst: 12}}}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandbox := sandboxes[0]
		files := map[string][]byte{}
		for i := range 3 << 20 / preloadFileLimit {
			files[fmt.Sprint("/", i)] = bytes.Repeat([]byte{byte(i)}, preloadFileLimit)
		}
		setFiles(t, s, sandbox, files)
		defer sandbox.Listen("a")()
		ask := func(have string) string {
			t.Helper()
			w := answer(s, sandbox.as("GET", protocol.StatePath+"?holder=a&have="+have, ""))
			return fmt.Sprintf("%d, lease %q, wait %q, %.1f left", w.Code, w.Header().Get(protocol.LeaseHeader), w.Header().Get("Retry-After"), sandbox.requests.Tokens())
		}
		for i, row := range []struct{ have, want string }{
			{"2", `204, lease "900", wait "", 11.0 left`},
			{"0", `200, lease "900", wait "", 7.0 left`},
			{"1", `200, lease "900", wait "", 3.0 left`},
			{"0", `429, lease "", wait "2", 3.0 left`},
			{"2", `204, lease "900", wait "", 2.0 left`},
		} {
			if got := ask(row.have); got != row.want {
				t.Errorf("request %d, have=%s: %s; want %s", i, row.have, got, row.want)
			}
		}
		pass(leaseTime)
		sandbox.requests.SetBurst(1) // the bucket never holds more than 1 token, so 1 is enough
		if got, want := ask("0"), `200, lease "900", wait "", 0.0 left`; got != want {
			t.Errorf("%s; want %s", got, want)
		}
	})
}

// Contents are sent from where they are stored: each answer needs a buffer, and no copy.
func TestContentsOfAStateAreNotCopied(t *testing.T) {
	s, sandbox := newTestServer(t)
	files := map[string][]byte{}
	for i := range preloadLimit/preloadFileLimit + 10 {
		files[fmt.Sprintf("/%03d", i)] = bytes.Repeat([]byte{byte(i)}, preloadFileLimit)
	}
	setFiles(t, s, sandbox, files)
	ask := func() int64 {
		w := &counting{header: map[string][]string{}}
		s.ServeHTTP(w, sandbox.as("GET", protocol.StatePath, ""))
		return w.bytes
	}
	ask() // encodes the state
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sent := ask()
	runtime.ReadMemStats(&after)
	if sent < preloadLimit || sent > preloadLimit+preloadFileLimit {
		t.Errorf("%d bytes were sent", sent)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("the answer took %d bytes of memory", took)
	}
}

// Whatever revision a worker claims to have, it can decode the whole answer.
func FuzzState(f *testing.F) {
	s, sandbox := unlimited(f)
	setFiles(f, s, sandbox, map[string][]byte{"/index.html": []byte("x"), "/a": []byte("second")})
	for _, seed := range []string{"have=0", "have=1", "have=2", "have=3", "have=x&told=2&holder=h", "have=%zz", "", "told=9223372036854775807", "have=1;have=2", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := sandbox.as("GET", protocol.StatePath, "")
		r.URL.RawQuery = query
		got := serveOn(s, r)
		checkResponse(t, got)
		have := r.URL.Query().Get("have")
		if got.status == 204 && revisionOf(have, 2) == 2 {
			return
		}
		if got.status != 200 {
			t.Fatalf("%q: status %d", query, got.status)
		}
		response := readStateResponse(t, []byte(got.body))
		if revision := revisionOf(have, 2); response.Revision != 2 || revision > 1 || len(response.index.Kept) != int(revision) || len(response.index.Sent) != 2-int(revision) {
			t.Errorf("%q: %+v", query, response)
		}
	})
}
