package server

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// storeRoom leaves room for the sandboxes that limited makes, and for this many bytes more.
func storeRoom(sandboxes int, more int64) Limits {
	return Limits{Limits: SandboxLimits{StoreBytes: int64(sandboxes)*2_000 + more}}
}

// filling makes a snapshot with one file of size equal bytes.
func filling(t testing.TB, s *Server, fill byte, size int) *vfs.Snapshot {
	t.Helper()
	files, err := s.Store().Snapshot(map[string][]byte{"/filling": bytes.Repeat([]byte{fill}, size)}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// tarOf packs one file into a tar archive, compressed with gzip.
func tarOf(t testing.TB, name string, content []byte) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content))})
	if err == nil {
		_, err = w.Write(content)
	}
	if err = errors.Join(err, w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// apiRequest returns a request to the API with the server's own token.
func apiRequest(s *Server, method, path, media, body string) *http.Request {
	r := httptest.NewRequest(method, s.config.origin("localhost")+api.Root+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.Token())
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	return r
}

// However files are sent, they are refused if there is no room, and nothing changes. There is
// room again as soon as another sandbox is gone.
func TestFilesOfAllSandboxesAreBounded(t *testing.T) {
	const size = 100_000
	content := bytes.Repeat([]byte("n"), size)
	inJSON := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	type contents map[string]map[string]string
	for name, row := range map[string]struct {
		method, path, media, body string
		status                    int
	}{
		"a sandbox of text":   {"POST", "/sandboxes", api.MediaJSON, inJSON(map[string]contents{"files": {"/new": {"text": string(content)}}}), 201},
		"a sandbox of base64": {"POST", "/sandboxes", api.MediaJSON, inJSON(map[string]contents{"files": {"/new": {"base64": base64.StdEncoding.EncodeToString(content)}}}), 201},
		"a patch":             {"PATCH", "/sandboxes/ID/files", api.MediaJSON, inJSON(map[string]contents{"set": {"/new": {"text": string(content)}}}), 200},
		"a file":              {"PUT", "/sandboxes/ID/files/new", api.MediaBytes, string(content), 201},
		"a zip":               {"PUT", "/sandboxes/ID/files", api.MediaZip, zipOf(map[string]string{"new": string(content)}), 200},
		"a tar.gz":            {"PUT", "/sandboxes/ID/files", api.MediaGzip, tarOf(t, "new", content), 200},
	} {
		t.Run(name, func(t *testing.T) {
			s, sandboxes := limited(t, storeRoom(2, size*3/2), 2)
			if _, err := sandboxes[1].SetFiles(filling(t, s, 'o', size)); err != nil {
				t.Fatal(err)
			}
			type state struct {
				sandboxes int
				revision  int64
				files     vfs.Hash
				contents  int
				bytes     int64
				uploads   int64
			}
			now := func() (now state) {
				files, revision := sandboxes[0].Files()
				now = state{sandboxes: len(s.Sandboxes()), revision: revision, files: files.Hash(), uploads: s.uploads.used.Load()}
				now.contents, now.bytes = s.Store().Usage()
				return now
			}
			ask := func() *httptest.ResponseRecorder {
				return answer(s, apiRequest(s, row.method, strings.Replace(row.path, "ID", sandboxes[0].ID(), 1), row.media, row.body))
			}
			before := now()
			w := ask()
			var p Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 507 || p.Code != "store-full" || !strings.Contains(p.Detail, `"/new"`) {
				t.Fatalf("without room: %d %s", w.Code, w.Body)
			}
			if after := now(); after != before {
				t.Errorf("after the refusal there is %+v, before there was %+v", after, before)
			}
			if w := answer(s, apiRequest(s, "DELETE", "/sandboxes/"+sandboxes[1].ID(), "", "")); w.Code != 204 {
				t.Fatalf("deleting the other: %d %s", w.Code, w.Body)
			}
			if w := ask(); w.Code != row.status {
				t.Errorf("with room: %d %s", w.Code, w.Body)
			}
			if _, bytes := s.Store().Usage(); bytes < size || bytes > size+4_000 {
				t.Errorf("%d bytes count", bytes)
			}
			s.Close()
			if contents, bytes := s.Store().Usage(); contents != 0 || bytes != 0 {
				t.Errorf("without any sandbox %d contents count with %d bytes", contents, bytes)
			}
		})
	}
}

func wantStoreFull(t *testing.T, err error) {
	t.Helper()
	if full, ok := errors.AsType[*vfs.LimitError](err); !ok || full.What != vfs.LimitStore {
		t.Errorf("the error is %v, want one of a full store", err)
	}
}

// Files that a change has replaced count for as long as they can be loaded.
func TestReplacedFilesCountForAWhile(t *testing.T) {
	const size = 100_000
	inBubble(t, Config{Limits: storeRoom(2, 2*size)}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandbox := sandboxes[0]
		first, second, third := filling(t, s, '1', size), filling(t, s, '2', size), filling(t, s, '3', size)
		for _, files := range []*vfs.Snapshot{first, second, first, second, second, first, second} {
			if _, err := sandbox.SetFiles(files); err != nil {
				t.Fatal(err)
			}
		}
		before := sandbox.Revision()
		_, err := sandbox.SetFiles(third)
		wantStoreFull(t, err)
		_, err = sandbox.Edit(Edit{Files: []vfs.Change{vfs.Put("/third", bytes.Repeat([]byte("3"), size))}})
		wantStoreFull(t, err)
		if files, revision := sandbox.Files(); files != second || revision != before {
			t.Errorf("the refused changes made revision %d", revision)
		}
		pass(outgoingTime)
		if _, bytes := s.Store().Usage(); bytes < size || bytes > size+2_000 {
			t.Errorf("%d bytes count", bytes)
		}
		if _, err := sandbox.SetFiles(third); err != nil {
			t.Errorf("after %s: %v", outgoingTime, err)
		}
		// Neither the files of a removed sandbox nor the files that it has replaced count.
		s.Remove(sandbox.ID())
		if contents, bytes := s.Store().Usage(); contents != 0 || bytes != 0 {
			t.Errorf("of a removed sandbox %d contents count with %d bytes", contents, bytes)
		}
		if _, err := sandbox.SetFiles(first); !errors.Is(err, ErrRemoved) {
			t.Errorf("a change of a removed sandbox: %v", err)
		}
		pass(outgoingTime)
		if contents, bytes := s.Store().Usage(); contents != 0 || bytes != 0 {
			t.Errorf("later %d contents count with %d bytes", contents, bytes)
		}
	})
}

// No sandbox is ended for a new one whose files do not fit.
func TestAFullStoreEndsNoSandbox(t *testing.T) {
	limits := storeRoom(1, 600)
	limits.Sandboxes = 1
	inBubble(t, Config{Limits: limits}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		// Each of the two fits, but both together do not.
		files := filling(t, s, 'c', 700)
		if _, err := sandboxes[0].SetFiles(filling(t, s, 'h', 1_000)); err != nil {
			t.Fatal(err)
		}
		foreign, err := vfs.NewStore(1<<20).Snapshot(map[string][]byte{"/a": nil}, vfs.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		pass(2 * leastIdle)
		_, err = s.Create(Spec{Files: files})
		wantStoreFull(t, err)
		if _, err := s.Create(Spec{Files: foreign}); err == nil {
			t.Error("a sandbox was made of another store's files")
		}
		if s.Sandbox(sandboxes[0].ID()) == nil {
			t.Error("the sandbox has been ended")
		}
	})
}

// If a sandbox is not made because another has its id, it holds no files.
func TestASecondIDHoldsNoFiles(t *testing.T) {
	s, sandboxes := limited(t, Limits{}, 1)
	contents, before := s.Store().Usage()
	if _, err := s.Create(Spec{ID: sandboxes[0].ID(), Files: filling(t, s, 'x', 1_000)}); err == nil {
		t.Fatal("two sandboxes have one id")
	}
	if c, bytes := s.Store().Usage(); c != contents || bytes != before {
		t.Errorf("%d contents count with %d bytes, want %d with %d", c, bytes, contents, before)
	}
}

// turnsOf replaces the server's turns with new ones from inside the test's bubble. A goroutine
// that waits on a channel from outside would keep the bubble's clock going.
func turnsOf(s *Server) { s.working = make(chan struct{}, max(2, cap(s.working))) }

// Only a few archives are unpacked at once, however many arrive.
func TestArchivesAreUnpackedInTurn(t *testing.T) {
	const archives = 8
	inBubble(t, Config{}, archives, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		turnsOf(s)
		content := bytes.Repeat([]byte("c"), 1_000)
		archive := zipOf(map[string]string{"new": string(content)})
		send := func(ctx context.Context, i int, codes chan<- int) {
			r := apiRequest(s, "PUT", "/sandboxes/"+sandboxes[i].ID()+"/files", api.MediaZip, archive)
			codes <- answer(s, r.WithContext(ctx)).Code
		}
		contents, before := s.Store().Usage()
		for range cap(s.working) {
			s.working <- struct{}{}
		}
		gone, goes := context.WithCancel(t.Context())
		given, taken := make(chan int, archives), make(chan int, archives)
		for i := range archives {
			if i%2 == 0 {
				go send(gone, i, given)
			} else {
				go send(t.Context(), i, taken)
			}
		}
		synctest.Wait()
		if c, bytes := s.Store().Usage(); c != contents || bytes != before || len(given)+len(taken) != 0 {
			t.Errorf("without a turn %d contents count with %d bytes, and %d are answered", c, bytes, len(given)+len(taken))
		}
		goes()
		synctest.Wait()
		if len(given) != archives/2 || len(taken) != 0 {
			t.Errorf("when half the clients have gone %d of them are answered, and %d others", len(given), len(taken))
		}
		for range len(given) {
			if code := <-given; code != 503 {
				t.Errorf("a client that went away is answered %d", code)
			}
		}
		<-s.working
		pass(time.Second)
		for range archives / 2 {
			if code := <-taken; code != 200 {
				t.Errorf("with a turn: %d", code)
			}
		}
		for range cap(s.working) - 1 {
			<-s.working
		}
		for i, sandbox := range sandboxes {
			if want := int64(1 + i%2); sandbox.Revision() != want {
				t.Errorf("sandbox %d has revision %d, want %d", i, sandbox.Revision(), want)
			}
		}
	})
}

// As many requests run as there are turns, and no more.
func TestTurnsAreFew(t *testing.T) {
	inBubble(t, Config{}, 0, func(t *testing.T, s *Server, _ []*Sandbox) {
		turnsOf(s)
		const asking = 8
		begun, end := make(chan struct{}, asking), make(chan struct{})
		for range asking {
			go func() {
				c := s.echo.NewContext(httptest.NewRequest("PUT", "/", nil), httptest.NewRecorder())
				done, err := s.turn(c.Request().Context())
				if err != nil {
					t.Error(err)
					return
				}
				begun <- struct{}{}
				<-end
				done()
			}()
		}
		for ended := range asking {
			synctest.Wait()
			if want := min(asking, ended+cap(s.working)); len(begun) != want {
				t.Errorf("after %d ends %d have begun, want %d", ended, len(begun), want)
			}
			end <- struct{}{}
		}
	})
}

// An archive whose unpacking fails keeps no turn.
func TestAFailingArchiveGivesItsTurnBack(t *testing.T) {
	s, sandbox := newTestServer(t)
	store := s.store
	s.store = nil // no operation expects this
	w := answer(s, apiRequest(s, "PUT", "/sandboxes/"+sandbox.ID()+"/files", api.MediaZip, zipOf(map[string]string{"new": ""})))
	s.store = store
	if w.Code != 500 || len(s.working) != 0 {
		t.Errorf("%d %s; %d turns are taken", w.Code, w.Body, len(s.working))
	}
}
