package tests

import (
	"bytes"
	"crypto/sha256"
	le "encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

// Large files come from the server as they are asked for.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	const size, slice = 48 << 20, 8 << 20
	content := make([]byte, size)
	if _, err := rand.NewChaCha8([32]byte{}).Read(content); err != nil {
		t.Fatal(err)
	}
	// The server's answer stops after the first slice until the test lets it go on.
	gate := &gate{path: "/.bellglass/blob/", after: slice, open: make(chan struct{})}
	g := startGlassBehind(t, gate.wrap)
	files, err := g.Store().Snapshot(map[string][]byte{"/index.html": []byte(filesPage), "/large.bin": content}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := g.Create(server.Spec{Name: t.Name(), Files: files, Policy: parse(t, allScripts)})
	if err != nil {
		t.Fatal(err)
	}
	v := g.open(t, "localhost", sandbox)

	// It is streamed: its beginning arrives while the server holds its end back.
	v.eval(`async () => {
		window.response = await fetch('/large.bin')
		window.reader = window.response.body.getReader()
		window.chunks = [(await window.reader.read()).value]
	}`)
	gate.release()
	const digests = `
		const hex = async (bytes) => Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (b) => b.toString(16).padStart(2, '0')).join('')
		const slice = %d`
	got := v.eval(fmt.Sprintf(`async () => {`+digests+`
		for (;;) {
			const { done, value } = await window.reader.read()
			if (done) break
			window.chunks.push(value)
		}
		const all = new Uint8Array(await new Blob(window.chunks).arrayBuffer())
		window.chunks = []
		const got = [window.response.status, window.response.headers.get('Content-Length'), all.length]
		for (let at = 0; at < all.length; at += slice) got.push(await hex(all.subarray(at, at + slice)))
		return got.join(' ')
	}`, slice))
	want := []string{"200", fmt.Sprint(size), fmt.Sprint(size)}
	for part := range slices.Chunk(content, slice) {
		want = append(want, digest(part))
	}
	if got != strings.Join(want, " ") {
		t.Errorf("the whole file is\n%v\nwant\n%s", got, strings.Join(want, " "))
	}

	for _, part := range []struct{ first, last int }{
		{0, 0}, {1, slice}, {size/2 - 7, size/2 + slice}, {size - slice - 1, size - 1}, {size - 1, size - 1},
	} {
		got := v.eval(fmt.Sprintf(`async () => {`+digests+`
			const response = await fetch('/large.bin', { headers: { Range: 'bytes=%d-%d' } })
			return [response.status, response.headers.get('Content-Range'), await hex(await response.arrayBuffer())].join(' ')
		}`, slice, part.first, part.last))
		if want := fmt.Sprintf("206 bytes %d-%d/%d %s", part.first, part.last, size, digest(content[part.first:part.last+1])); got != want {
			t.Errorf("the range is\n%v\nwant\n%s", got, want)
		}
	}
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// A gate holds answers below a path back after so many bytes, until released.
type gate struct {
	path  string
	after int
	open  chan struct{}
	once  sync.Once
	// entered, with room for one, is told of the first request that is held.
	entered chan struct{}
}

func (g *gate) release() { g.once.Do(func() { close(g.open) }) }

func (g *gate) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, g.path) {
			w = &gatedWriter{ResponseWriter: w, gate: g, done: r.Context().Done()}
		}
		next.ServeHTTP(w, r)
	})
}

// wrapRequests holds requests whose path ends so back, until released.
func (g *gate) wrapRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, g.path) {
			select {
			case g.entered <- struct{}{}:
			default: // told already
			}
			select {
			case <-g.open:
			case <-r.Context().Done():
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

type gatedWriter struct {
	http.ResponseWriter
	gate    *gate
	done    <-chan struct{}
	written int
}

func (w *gatedWriter) Write(b []byte) (int, error) {
	n := 0
	if room := w.gate.after - w.written; room > 0 {
		var err error
		n, err = w.ResponseWriter.Write(b[:min(room, len(b))])
		if w.written += n; err != nil || n == len(b) {
			return n, err
		}
	}
	if err := http.NewResponseController(w.ResponseWriter).Flush(); err != nil {
		return n, err
	}
	select {
	case <-w.gate.open:
	case <-w.done: // the browser is gone
		return n, http.ErrAbortHandler
	}
	more, err := w.ResponseWriter.Write(b[n:])
	return n + more, err
}

// A media element asks for ranges, and refuses to seek without them.
func TestAudioPlaysAndSeeks(t *testing.T) {
	t.Parallel()
	const seconds = 30
	g := startGlass(t)
	v := g.open(t, "localhost", g.sandbox(t, map[string]string{"/index.html": filesPage, "/tone.wav": wave(seconds)}, allScripts))
	got := v.eval(`async () => {
		const audio = new Audio()
		const when = (type) => new Promise((resolve, reject) => {
			audio.addEventListener(type, resolve, { once: true })
			audio.addEventListener('error', () => reject(new Error('audio: ' + audio.error.message)), { once: true })
		})
		const ready = when('loadedmetadata')
		audio.src = '/tone.wav'
		await ready
		const duration = audio.duration
		const seeked = when('seeked')
		audio.currentTime = duration / 2
		await seeked
		const at = audio.currentTime
		await audio.play()
		while (audio.currentTime <= at) await when('timeupdate')
		audio.pause()
		return JSON.stringify([duration, at, audio.seekable.length, audio.seekable.end(0)])
	}`)
	if want := fmt.Sprintf("[%d,%d,1,%d]", seconds, seconds/2, seconds); got != want {
		t.Errorf("duration, place after the seek and seekable ranges are %v, want %s", got, want)
	}
}

// wave is a tone as a WAV file: 16 bits, one channel.
func wave(seconds int) string {
	const rate = 8000
	data := make([]byte, 2*rate*seconds)
	for i := range rate * seconds {
		sample := int16(8000)
		if i/10%2 == 1 {
			sample = -sample
		}
		le.LittleEndian.PutUint16(data[2*i:], uint16(sample))
	}
	var b bytes.Buffer
	b.WriteString("RIFF")
	for _, field := range []any{
		uint32(36 + len(data)), []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1),
		uint32(rate), uint32(2 * rate), uint16(2), uint16(16), []byte("data"), uint32(len(data)), data,
	} {
		if err := le.Write(&b, le.LittleEndian, field); err != nil {
			panic(err) // a Buffer takes everything
		}
	}
	return b.String()
}
