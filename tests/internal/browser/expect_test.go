package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Two nested frames of other sites, which are replaced. The outer frame is busy, so the driver often
// waits for its answer when it is removed.
const replacingPage = `<!doctype html><title>host</title><body><script>
const site = (name) => location.origin.replace('127.0.0.1', name)
let shown
const show = (text) => {
  shown?.remove()
  shown = document.createElement('iframe')
  shown.src = site('outer.localhost') + '/outer?' + site('inner.localhost') + '/inner?' + text
  document.body.append(shown)
}
for (let i = 0; i < 6; i++) setTimeout(show, i * 1100, i < 5 ? 'earlier' : 'last')
</script>`

const busyPage = `<!doctype html><title>outer</title><body><script>
document.body.append(Object.assign(document.createElement('iframe'), { src: location.search.slice(1) }))
const busy = () => {
  for (const end = performance.now() + 300; performance.now() < end;);
  setTimeout(busy)
}
setTimeout(busy, 100)
</script>`

// An assertion waits on while frames of other processes are removed.
func TestExpectOutlastsFrames(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, replacingPage)
		case "/outer":
			fmt.Fprint(w, busyPage)
		case "/inner":
			fmt.Fprint(w, `<!doctype html><title>inner</title><body><script>document.body.append(location.search.slice(1))</script>`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	page := shared.Page(t)
	if _, err := page.Goto(site.URL); err != nil {
		t.Fatal(err)
	}
	const assertions = 10
	ended := make(chan error, assertions)
	for range assertions {
		go func() {
			ended <- Expect(page.FrameLocator("iframe").FrameLocator("iframe").Locator("body")).ToHaveText("last")
		}()
	}
	for range assertions {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
