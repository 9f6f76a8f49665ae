package boot

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// leavings are ways in which a document would leave the sandbox, for an address with the way's
// name. Only the Navigation API sees some of them, and WebKitGTK 2.50 lacks it. In Firefox
// 153, a document has no timers anymore after form-action blocked a form that a script
// submitted.
var leavings = []struct {
	name, act string
	without   string // the engines in which the document is not kept
}{
	{"link", `link()`, ""},
	{"link in a named frame", `name = 'mine'; link({ target: 'mine' })`, ""},
	{"area", `element('area')`, ""},
	{"link in a picture", `picture()`, ""},
	{"form", `form().requestSubmit()`, ""},
	{"posted form", `form({ method: 'post' }).requestSubmit()`, ""},
	{"button with an address", `button()`, ""},
	{"mailto:someone@example.com", `link({ href: 'mailto:someone@example.com' })`, ""},
	{"data:text/html,x", `link({ href: 'data:text/html,x' })`, ""},
	{"link in a closed tree", `link({}, document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' }))`, "WebKitGTK"},
	{"form by script", `form({ method: 'post' }).submit()`, "Firefox, WebKitGTK"},
	{"location", `location.href = url`, "WebKitGTK"},
	{"replaced", `location.replace(url)`, "WebKitGTK"},
	{"refresh", `refresh()`, "WebKitGTK"},
}

const leavingPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Leaving</title><body><script>
const element = (tag, attributes, root = document.body) => {
	const made = document.createElement(tag)
	for (const [name, value] of Object.entries({ href: url, ...attributes })) made.setAttribute(name, value)
	root.append(made)
	made.click()
}
const link = (attributes, root) => element('a', attributes, root)
const form = (attributes) => {
	const made = document.createElement('form')
	for (const [name, value] of Object.entries({ action: url, ...attributes })) made.setAttribute(name, value)
	document.body.append(made)
	return made
}
const button = () => {
	const made = form({ action: '/' }).appendChild(document.createElement('button'))
	made.formAction = url
	made.click()
}
const picture = () => {
	document.body.insertAdjacentHTML('beforeend', '<svg><a href="' + url + '"><text>x</text></a></svg>')
	document.querySelector('svg a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }))
}
const refresh = () => {
	const made = document.createElement('meta')
	made.httpEquiv = 'refresh'
	made.content = '0;url=' + url
	document.head.append(made)
}
let url
addEventListener('load', () => setTimeout(async () => {
	%s
	console.log('alive')
}))
</script>`

// A page that would leave its sandbox stays, and the log has the attempt.
func TestLeavingKeepsTheView(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			g := glass.Start(t)
			away := birds.URL("away", "/")
			var acts strings.Builder
			// A field named getAttribute hides the form's method. The client script must not
			// throw.
			acts.WriteString("url = '/'; form({ target: 'none' }).innerHTML = '<input name=getAttribute>'; document.forms[0].dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true })); document.forms[0].remove()\n")
			for _, leaving := range leavings {
				if strings.Contains(leaving.without, engine) {
					continue
				}
				target := away + url.PathEscape(leaving.name)
				// An attempt that is not stopped early is refused by the time that another
				// request has completed.
				fmt.Fprintf(&acts, "url = %q; %s; await fetch(%q)\n", target, leaving.act, away+"done")
			}
			sandbox := g.NewSandbox(t, map[string]string{"/index.html": fmt.Sprintf(leavingPage, acts.String())}, glass.AllScripts+"rules:\n  - allow: "+away+"**\n")
			open(t, sandbox.HostURL())
			log := g.Log(t, sandbox, func(event glass.Logged) bool { return event.Text == "alive" || event.Source == "outer" })
			if last := log[len(log)-1]; last.Source == "outer" {
				t.Fatalf("the view has left for %s", last.Target)
			}
			if i := slices.IndexFunc(log, func(event glass.Logged) bool { return event.Type == "error" }); i >= 0 {
				t.Errorf("the page has an error that is ours: %s", log[i].Text)
			}
			for _, leaving := range leavings {
				told := slices.ContainsFunc(log, func(event glass.Logged) bool {
					return event.Code == "navigation" && (strings.HasSuffix(event.Target, "/"+url.PathEscape(leaving.name)) || strings.HasPrefix(event.Target, leaving.name))
				})
				if !told && !strings.Contains(leaving.without, engine) {
					t.Errorf("%s: the log has nothing of it", leaving.name)
				}
			}
		})
	}
}
