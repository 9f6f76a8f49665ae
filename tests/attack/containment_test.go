package attack

import (
	"fmt"
	"html"
	"net/http"
	"testing"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// forgingView is a page of a sandbox that looks for another view of the same sandbox. It can
// reach that view's boot page, and answers its requests in the browser's place. Requests that
// must fail fail, and the others get an answer.
const forgingView = `<!doctype html><meta charset="utf-8"><title>Forging</title><p id="word">ran</p><script>
	const forged = new WeakSet()
	let forgeries = 0
	const look = () => {
		for (let i = 0; i < top.frames.length; i++) {
			try {
				const other = top.frames[i].frames[0]
				if (other === undefined || other === window || !other.location.pathname.startsWith('/.bellglass/') || forged.has(other.document)) continue
				forged.add(other.document)
				forgeries++
				other.fetch = async (url) => {
					if (String(url).includes('unlisted')) throw new TypeError('forged')
					if (String(url).endsWith('/probe')) return new Response('reached')
					return fetch(url)
				}
				top.postMessage('forged', '*')
			} catch {}
		}
	}
	// The embedder starts the search. Messages drive it, because browsers throttle the timers of
	// frames and a boot can finish before a timer fires.
	const { port1, port2 } = new MessageChannel()
	port1.onmessage = () => {
		look()
		if (forgeries === 0) port2.postMessage('')
	}
	addEventListener('message', () => {
		port2.postMessage('')
		top.postMessage('looking', '*')
	}, { once: true })
</script>`

// twoViews shows one sandbox, and shows it again when the first view runs. states are the
// messages of the second outer frame. reached says whether the first view has reached the boot
// page of the second.
const twoViews = `<!doctype html><meta charset="utf-8"><title>Two views</title><body><script>
	globalThis.reached = false
	let looks
	const looking = new Promise((resolve) => { looks = resolve })
	addEventListener('message', ({ data }) => {
		if (data === 'forged') reached = true
		if (data === 'looking') looks()
	})
	const shown = (src, until) => new Promise((resolve) => {
		const frame = document.createElement('iframe')
		frame.onload = () => {
			const { port1, port2 } = new MessageChannel()
			port1.onmessage = ({ data }) => { if (data.kind === 'state' && data.state === until) resolve(data.containment) }
			frame.contentWindow.postMessage({ kind: 'connect', protocol: 1 }, '*', [port2])
		}
		frame.src = src
		document.body.append(frame)
	})
	globalThis.both = async (src) => {
		await shown(src, 'ready')
		const asking = setInterval(() => frames[0].frames[0].postMessage('look', '*'), 20)
		await looking
		clearInterval(asking)
		return [await shown(src, 'ready'), String(reached)]
	}
</script>`

// The browser's enforcement is probed where no page code of the sandbox can interfere. None of
// these three engines enforces a Connection-Allowlist.
func TestViewCannotForgeContainment(t *testing.T) {
	t.Parallel()
	embedder := glass.ServePage(t, func(*http.Request) string { return twoViews })
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t, func(c *server.Config) {
				c.Embedders = []string{embedder}
				c.Defenses = firewalltest.Without(firewalltest.Defense("Connection-Allowlist"))
			})
			sandbox := g.NewSandbox(t, map[string]string{"/index.html": forgingView}, glass.AllScripts)
			var got [2]string
			open(t, embedder).Eval(t, fmt.Sprintf(`both(%q)`, html.EscapeString(sandbox.OuterURL())), &got)
			if got != [2]string{"csp", "true"} {
				t.Errorf("the second view's containment is %q, and the first has reached its boot page: %s; want csp and true", got[0], got[1])
			}
		})
	}
}
