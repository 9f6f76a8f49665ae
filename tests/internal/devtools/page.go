package devtools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/remote"
)

// A Page is a tab or, if it comes from [Page.Frame], a frame in one.
type Page struct {
	browser *Browser
	context string // the browser context of the tab
	close   func() error
	session string // the DevTools session of only this tab or frame
}

// Open opens a page in its own browser context, and waits until it has loaded. The page
// is closed at the end of the test, unless [Page.Close] has closed it.
func (b *Browser) Open(t testing.TB, url string) *Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var apart struct{ BrowserContextID string }
	if err := b.connection.Call(ctx, "Target.createBrowserContext", remote.Object{}, &apart); err != nil {
		t.Fatalf("opening %s: %v", url, err)
	}
	dispose := sync.OnceValue(func() error {
		// The test's own context may have ended.
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		return b.connection.Call(ctx, "Target.disposeBrowserContext", remote.Object{"browserContextId": apart.BrowserContextID}, nil)
	})
	t.Cleanup(func() {
		if err := dispose(); err != nil {
			t.Errorf("closing the page: %v", err)
		}
	})
	page, err := b.open(ctx, apart.BrowserContextID, url)
	if err != nil {
		t.Fatalf("opening %s: %v", url, err)
	}
	page.close = dispose
	return page
}

// Close closes a page that [Browser.Open] has opened, with its browser context.
func (p *Page) Close(t testing.TB) {
	t.Helper()
	if err := p.close(); err != nil {
		t.Fatalf("closing the page: %v", err)
	}
}

func (b *Browser) open(ctx context.Context, browserContext, url string) (*Page, error) {
	var tab struct{ TargetID string }
	if err := b.connection.Call(ctx, "Target.createTarget", remote.Object{
		"url": "about:blank", "browserContextId": browserContext, "width": 1280, "height": 720,
	}, &tab); err != nil {
		return nil, err
	}
	page, err := b.attach(ctx, browserContext, tab.TargetID)
	if err != nil {
		return nil, err
	}
	return page, page.navigate(ctx, url)
}

// Navigate loads a URL in the tab or frame, and waits until it has loaded.
func (p *Page) Navigate(t testing.TB, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.navigate(ctx, url); err != nil {
		t.Fatalf("navigating to %s: %v", url, err)
	}
}

func (p *Page) navigate(ctx context.Context, url string) error {
	if err := p.browser.connection.CallIn(ctx, p.session, "Page.enable", remote.Object{}, nil); err != nil {
		return err
	}
	// The answer arrives when the document exists, loaded or not.
	var navigated struct{ ErrorText string }
	if err := p.browser.connection.CallIn(ctx, p.session, "Page.navigate", remote.Object{"url": url}, &navigated); err != nil {
		return err
	}
	if navigated.ErrorText != "" {
		return errors.New(navigated.ErrorText)
	}
	return p.await(ctx, `document.readyState === 'complete'`)
}

// Await waits until a condition holds in the page, whichever document it has by then.
func (p *Page) Await(t testing.TB, condition string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.await(ctx, condition); err != nil {
		t.Fatal(err)
	}
}

// await checks after each event: a document that may run no script cannot listen
// itself, and one that goes away meanwhile answers with an error.
func (p *Page) await(ctx context.Context, condition string) error {
	for {
		changed := p.browser.connection.Next()
		var holds bool
		err := p.eval(ctx, "!!("+condition+")", &holds)
		if err == nil && holds {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("it does not become true that %s: %w (%v)", condition, ctx.Err(), err)
		}
	}
}

func (b *Browser) attach(ctx context.Context, browserContext, target string) (*Page, error) {
	var attached struct{ SessionID string }
	if err := b.connection.Call(ctx, "Target.attachToTarget", remote.Object{"targetId": target, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	return &Page{browser: b, context: browserContext, session: attached.SessionID}, nil
}

// Frame waits until a frame of the page, at any depth, has a URL that begins with
// urlPrefix, and returns it. It finds only frames with their own process, because
// DevTools attach to those.
func (p *Page) Frame(t testing.TB, urlPrefix string) *Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		changed := p.browser.connection.Next()
		var targets struct {
			TargetInfos []struct{ TargetID, Type, URL, BrowserContextID string }
		}
		if err := p.browser.connection.Call(ctx, "Target.getTargets", remote.Object{}, &targets); err != nil {
			t.Fatalf("looking for a frame at %s…: %v", urlPrefix, err)
		}
		for _, target := range targets.TargetInfos {
			if target.Type != "iframe" || target.BrowserContextID != p.context || !strings.HasPrefix(target.URL, urlPrefix) {
				continue
			}
			frame, err := p.browser.attach(ctx, p.context, target.TargetID)
			if err != nil {
				t.Fatalf("attaching to the frame at %s: %v", target.URL, err)
			}
			return frame
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("no frame is at %s…: %v; there are %+v", urlPrefix, ctx.Err(), targets.TargetInfos)
		}
	}
}

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
		Result           struct{ Value any } // the JSON text, or what was thrown
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	// The line break ends a comment at the end of the expression.
	if err := p.browser.connection.CallIn(ctx, p.session, "Runtime.evaluate", remote.Object{
		"expression":    "(async () => JSON.stringify(await (" + expression + "\n)) ?? 'null')()",
		"awaitPromise":  true,
		"returnByValue": true,
	}, &answer); err != nil {
		return err
	}
	if thrown := answer.ExceptionDetails; thrown != nil {
		return fmt.Errorf("it threw: %s %s", thrown.Text, thrown.Exception.Description)
	}
	if result == nil {
		return nil
	}
	text, _ := answer.Result.Value.(string)
	return json.Unmarshal([]byte(text), result)
}

// StopServiceWorkers stops every service worker of the page's browser context, as the
// browser does after 30 s, and returns once they have stopped.
func (p *Page) StopServiceWorkers(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for _, method := range []string{"ServiceWorker.enable", "ServiceWorker.stopAllWorkers", "ServiceWorker.disable"} {
		if err := p.browser.connection.CallIn(ctx, p.session, method, remote.Object{}, nil); err != nil {
			t.Fatalf("stopping the service workers: %v", err)
		}
	}
}
