package tests

import "testing"

// reactModule is another host by its own authors: the AppRenderer of @mcp-ui/client, a React
// component. It sends the declaration in the proxy's address and in the message, and no
// permissions.
const reactModule = hostModule + `
import { AppRenderer } from '@mcp-ui/client'
import { createElement, createRef } from 'react'
import { createRoot } from 'react-dom/client'
globalThis.start = async (name, proxy, server, tool, args, own) => {
	const { html, csp } = own ?? await resource(server, tool)
	const place = document.createElement('div')
	place.style = 'width: 800px; height: 600px'
	document.body.append(place)
	new MutationObserver(() => { place.querySelector('iframe')?.setAttribute('id', name) }).observe(place, { childList: true, subtree: true })
	const [app, note] = remember(name)
	const renderer = createRef()
	app.teardown = async () => renderer.current.teardownResource()
	createRoot(place).render(createElement(AppRenderer, {
		ref: renderer, toolName: tool, html, sandbox: { url: new URL(proxy + '/sandbox.html'), csp }, hostContext: { theme: 'light' },
		toolInput: args, toolResult: own === undefined ? await ask(server, 'tools/call', { name: tool, arguments: args }) : own.result,
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

// A host by @mcp-ui/client runs the same apps, the whole one and those of others.
func TestMCPUIClient(t *testing.T) {
	t.Parallel()
	g, b := startBridge(t, reactModule)
	html := wholeApp(t)
	t.Run("all that an app can", func(t *testing.T) {
		t.Parallel()
		testWholeApp(t, g, openChromium(t, b.page), html, `[null,null]`)
	})
	b.startApps(t, realApps)
	t.Run("apps of others", func(t *testing.T) {
		t.Parallel()
		testRealApps(t, g, b, newPage(t))
	})
}
