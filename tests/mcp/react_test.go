package mcp

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// reactModule is a third-party host: the AppRenderer of @mcp-ui/client, a React component, as
// the documentation shows it. It sends the declaration in the proxy's address and in the
// message, and sends no permissions.
func reactModule(t *testing.T) string {
	return hostModule + strings.Replace(reactScript, "ELEMENT", at(t, documented(t, "migration.md", "## Hosts by @mcp-ui/client", "jsx"), "proxy"), 1)
}

const reactScript = `
import { AppRenderer } from '@mcp-ui/client'
import { cloneElement, createRef } from 'react'
import { createRoot } from 'react-dom/client'
globalThis.start = async (name, proxy, server, tool, args, own) => {
	const { html, csp } = own ?? await resource(server, tool)
	const result = own === undefined ? await ask(server, 'tools/call', { name: tool, arguments: args }) : own.result
	const place = document.createElement('div')
	place.style = 'width: 800px; height: 600px'
	document.body.append(place)
	new MutationObserver(() => { place.querySelector('iframe')?.setAttribute('id', name) }).observe(place, { childList: true, subtree: true })
	const [app, note] = remember(name)
	const renderer = createRef()
	app.teardown = async () => renderer.current.teardownResource()
	const element = ELEMENT
	createRoot(place).render(cloneElement(element, {
		ref: renderer, hostContext: { theme: 'light' },
		onCallTool: async (params) => { note('calls', params.name); return called(server, params) },
		onOpenLink: async ({ url }) => { note('links', url); return {} },
		onMessage: async ({ content }) => { note('messages', content[0].text); return {} },
		onSizeChanged: (size) => note('sizes', size),
		onLoggingMessage: (log) => note('logs', log),
		onError: (error) => note('errors', error.message),
	}))
	return app
}
`

// A host built with @mcp-ui/client runs the same apps: the one with every feature, and the
// third-party ones.
func TestMCPUIClient(t *testing.T) {
	t.Parallel()
	g, b := startBridge(t, reactModule(t))
	html := wholeApp(t)
	t.Run("all that an app can", func(t *testing.T) {
		t.Parallel()
		testWholeApp(t, g, glass.OpenChromium(t, b.page), html, `[null,null]`)
	})
	b.startApps(t, realApps)
	t.Run("apps of others", func(t *testing.T) {
		t.Parallel()
		testRealApps(t, g, b, glass.NewPage(t))
	})
}
