package webkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/remote"
)

// A Page is a window or, if it comes from [Page.Frame], a frame in one.
type Page struct {
	session *session
	path    []element // the frame elements from the window down to it
}

// An element is WebDriver's reference to an element.
type element map[string]string

// Open opens a page in its own browser, and waits until it has loaded. The page is
// closed at the end of the test.
func (b *Browser) Open(t testing.TB, url string) *Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s, err := b.takeSession(ctx)
	if err != nil {
		t.Fatalf("opening %s: %v", url, err)
	}
	p := &Page{session: s}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("at the end WebKitGTK shows: %s\nand has said:\n%s", remote.Shown(p.eval), s.driver.Output())
		}
		if err := s.end(); err != nil {
			t.Errorf("closing the page: %v", err)
		}
	})
	if err := s.call(ctx, "POST", "/url", object{"url": url}, nil); err != nil {
		t.Fatalf("opening %s: %v", url, err)
	}
	return p
}

// Go loads another URL in the page's window, and waits until it has loaded.
func (p *Page) Go(ctx context.Context, url string) error {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	return p.session.call(ctx, "POST", "/url", object{"url": url}, nil)
}

// Close closes the page before the test ends.
func (p *Page) Close() error { return p.session.end() }

// Perform performs user actions, in the form of WebDriver's "actions", in the page's
// viewport. A driver may never return from actions that open a window; the page is
// unusable then.
func (p *Page) Perform(ctx context.Context, actions []any) error {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	if err := p.enter(ctx); err != nil {
		return err
	}
	return p.session.call(ctx, "POST", "/actions", object{"actions": actions}, nil)
}

// Eval evaluates an expression, waits if it is a promise, and decodes its value into
// result, unless that is nil. A value that JSON lacks becomes null. Meanwhile no other
// frame of the same page can be used.
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
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	if err := p.enter(ctx); err != nil {
		return err
	}
	return p.session.evaluate(ctx, expression, result)
}

// enter makes the page's frame the current one.
func (p *Page) enter(ctx context.Context) error {
	if err := p.session.call(ctx, "POST", "/frame", object{"id": nil}, nil); err != nil {
		return err
	}
	for _, frame := range p.path {
		if err := p.session.call(ctx, "POST", "/frame", object{"id": frame}, nil); err != nil {
			return err
		}
	}
	return nil
}

// evaluate evaluates an expression in the current frame.
func (s *session) evaluate(ctx context.Context, expression string, result any) error {
	var answer struct{ Value, Failure string }
	// The line break ends a comment at the end of the expression.
	if err := s.call(ctx, "POST", "/execute/async", object{
		"script": "const done = arguments[0];\n" +
			"(async () => JSON.stringify(await (" + expression + "\n)) ?? 'null')()" +
			".then(value => done({value}), e => done({failure: String(e)}))",
		"args": []any{},
	}, &answer); err != nil {
		return err
	}
	if answer.Failure != "" {
		return errors.New("it threw " + answer.Failure)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal([]byte(answer.Value), result)
}

// Frame waits until a frame of the page, at any depth, has a URL that begins with
// urlPrefix, and returns it. It polls, because WebDriver has no events.
func (p *Page) Frame(t testing.TB, urlPrefix string) *Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		// A frame that is removed during the search causes an error. The next search
		// does not meet it.
		seen, found, err := p.find(ctx, urlPrefix)
		if found != nil {
			return found
		}
		select {
		case <-tick.C:
		case <-p.session.driver.Ended():
			t.Fatalf("looking for a frame at %s…: %v", urlPrefix, p.session.driver.Failure())
		case <-ctx.Done():
			t.Fatalf("no frame is at %s…: %v; the page has %q (%v)", urlPrefix, ctx.Err(), seen, err)
		}
	}
}

// find searches the URLs of all frames in the page.
func (p *Page) find(ctx context.Context, urlPrefix string) (seen []string, found *Page, err error) {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	for pages := []*Page{p}; len(pages) > 0; pages = pages[1:] {
		at := pages[0]
		if err := at.enter(ctx); err != nil {
			return seen, nil, err
		}
		if at != p {
			var url string
			if err := p.session.evaluate(ctx, `location.href`, &url); err != nil {
				return seen, nil, err
			}
			if strings.HasPrefix(url, urlPrefix) {
				return seen, at, nil
			}
			seen = append(seen, url)
		}
		var frames []element
		if err := p.session.call(ctx, "POST", "/elements", object{"using": "css selector", "value": "iframe, frame"}, &frames); err != nil {
			return seen, nil, fmt.Errorf("looking for frames: %w", err)
		}
		for _, frame := range frames {
			pages = append(pages, &Page{p.session, append(at.path[:len(at.path):len(at.path)], frame)})
		}
	}
	return seen, nil, nil
}
