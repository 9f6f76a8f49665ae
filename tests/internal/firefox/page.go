package firefox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/remote"
)

// A Page is a tab or, if it comes from [Page.Frame], a frame in one.
type Page struct {
	browser *Browser
	id      string // of its browsing context
	tab     string // of the tab, if that is another context
}

// Open opens a page in its own user context, and waits until it has loaded. The page is
// closed at the end of the test.
func (b *Browser) Open(t testing.TB, url string) *Page {
	t.Helper()
	return b.open(t, url, "complete")
}

// Begin is Open without waiting.
func (b *Browser) Begin(t testing.TB, url string) *Page {
	t.Helper()
	return b.open(t, url, "none")
}

func (b *Browser) open(t testing.TB, url, wait string) *Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var apart struct{ UserContext string }
	if err := b.connection.Call(ctx, "browser.createUserContext", remote.Object{}, &apart); err != nil {
		t.Fatalf("opening %s: %v", url, err)
	}
	p := &Page{browser: b}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("at the end Firefox shows: %s", remote.Shown(p.eval))
		}
		// The test's own context has ended.
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		b.tabs.Lock()
		defer b.tabs.Unlock()
		if err := b.connection.Call(ctx, "browser.removeUserContext", remote.Object{"userContext": apart.UserContext}, nil); err != nil {
			t.Errorf("closing the page: %v", err)
		}
	})
	var tab struct{ Context string }
	b.tabs.Lock()
	// In the background: see toFront. Otherwise there might be no tab.
	err := b.connection.Call(ctx, "browsingContext.create", remote.Object{"type": "tab", "background": true, "referenceContext": b.home, "userContext": apart.UserContext}, &tab)
	if err == nil {
		p.id = tab.Context
		err = b.toFront(ctx, p.id)
	}
	b.tabs.Unlock()
	if err == nil {
		err = b.connection.Call(ctx, "browsingContext.setViewport", remote.Object{"context": p.id, "viewport": remote.Object{"width": 1280, "height": 720}}, nil)
	}
	if err == nil {
		err = b.connection.Call(ctx, "browsingContext.navigate", remote.Object{"context": p.id, "url": url, "wait": wait}, nil)
	}
	if err != nil {
		t.Fatalf("opening %s: %v", url, err)
	}
	return p
}

// Reload reloads the page and waits until it has loaded. After it, nothing is evaluated in
// the document before, nor in a document that is only begun.
func (p *Page) Reload(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.browser.connection.Call(ctx, "browsingContext.reload", remote.Object{"context": p.id, "wait": "complete"}, nil); err != nil {
		t.Fatalf("reloading: %v", err)
	}
}

// toFront brings a tab to the front. Firefox 153 then asks the tab that was in front
// until it is hidden. If that one is closed meanwhile, as a page's pop-up may be, the
// command fails or never returns. The tab is in front anyway, or is gone itself, which
// the next command reports.
func (b *Browser) toFront(ctx context.Context, tab string) error {
	ctx, cancel := context.WithTimeout(ctx, hiding)
	defer cancel()
	err := b.connection.Call(ctx, "browsingContext.activate", remote.Object{"context": tab}, nil)
	if isGone(err) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// hiding is how long a tab may take to report that it is hidden.
const hiding = 5 * time.Second

func isGone(err error) bool { return err != nil && strings.Contains(err.Error(), "no such frame") }

// Eval evaluates an expression, waits if it is a promise, and decodes its value into
// result, unless that is nil. A value that JSON lacks becomes null.
func (p *Page) Eval(t testing.TB, expression string, result any) {
	t.Helper()
	// The functions of t.Cleanup may look at the page, too. By then t.Context is done.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	defer cancel()
	if err := p.eval(ctx, expression, result); err != nil {
		t.Fatalf("evaluating %.200s: %v", expression, err)
	}
}

func (p *Page) eval(ctx context.Context, expression string, result any) error {
	var answer struct {
		Result           struct{ Value string }
		ExceptionDetails *struct{ Text string }
	}
	// The line break ends a comment at the end of the expression.
	if err := p.browser.connection.Call(ctx, "script.evaluate", remote.Object{
		"expression":   "(async () => JSON.stringify(await (" + expression + "\n)) ?? 'null')()",
		"target":       remote.Object{"context": p.id},
		"awaitPromise": true,
	}, &answer); err != nil {
		return err
	}
	if answer.ExceptionDetails != nil {
		return fmt.Errorf("it threw %s", answer.ExceptionDetails.Text)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal([]byte(answer.Result.Value), result)
}

// Perform performs user actions, in the form of WebDriver's "actions", in the page's
// viewport. It brings the page's tab to the front, because a tab in the background
// feels nothing. If the page is gone, it does nothing.
func (p *Page) Perform(t testing.TB, actions []any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	p.browser.tabs.Lock()
	defer p.browser.tabs.Unlock()
	err := p.browser.toFront(ctx, cmp.Or(p.tab, p.id))
	if err == nil {
		err = p.browser.connection.Call(ctx, "input.performActions", remote.Object{"context": p.id, "actions": actions}, nil)
	}
	if err != nil && !isGone(err) {
		t.Fatalf("performing %v: %v", actions, err)
	}
}

// Frame waits until a frame of the page, at any depth, has a URL that begins with
// urlPrefix, and returns it.
func (p *Page) Frame(t testing.TB, urlPrefix string) *Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		changed := p.browser.connection.Next()
		var tree struct{ Contexts []node }
		if err := p.browser.connection.Call(ctx, "browsingContext.getTree", remote.Object{"root": p.id}, &tree); err != nil {
			t.Fatalf("looking for a frame at %s…: %v", urlPrefix, err)
		}
		var frames []node
		for _, root := range tree.Contexts {
			frames = root.below(frames)
		}
		for _, frame := range frames {
			if strings.HasPrefix(frame.URL, urlPrefix) {
				return &Page{browser: p.browser, id: frame.Context, tab: cmp.Or(p.tab, p.id)}
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("no frame is at %s…: %v; the page has %+v", urlPrefix, ctx.Err(), frames)
		}
	}
}

// Within returns the first frame of the page, then the first frame of that, depth
// levels down.
func (p *Page) Within(t testing.TB, depth int) *Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var tree struct{ Contexts []node }
	if err := p.browser.connection.Call(ctx, "browsingContext.getTree", remote.Object{"root": p.id}, &tree); err != nil {
		t.Fatalf("looking for frames: %v", err)
	}
	at := node{Context: p.id}
	if len(tree.Contexts) == 1 {
		at = tree.Contexts[0]
	}
	for range depth {
		if len(at.Children) == 0 {
			t.Fatalf("%s has no frame", at.URL)
		}
		at = at.Children[0]
	}
	return &Page{browser: p.browser, id: at.Context, tab: p.id}
}

// A node is a page or frame with its frames.
type node struct {
	Context  string
	URL      string
	Children []node
}

// below appends all frames in the node.
func (n node) below(frames []node) []node {
	for _, child := range n.Children {
		frames = child.below(append(frames, child))
	}
	return frames
}
