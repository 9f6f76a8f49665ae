package firewall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules/browser"
)

// Grants are what a sandbox may do in addition to what every sandbox may. They concern the
// user of the page, a device, or shared memory, and never the network. The zero value grants
// nothing.
//
// A grant lifts a refusal by the browser. Where the browser asks the user for permission, it
// still does. It asks on behalf of the page around the sandbox and remembers the answer for
// that page, so sandboxes with the same grant in one page share the answer.
//
// The page around the sandbox has to pass a permission on: the frame's allow attribute must
// name it. The exceptions are the few permissions that browsers give to every frame (gamepad,
// picture-in-picture), and cross-origin-isolated, which depends on a header of the sandbox's
// own documents alone.
type Grants struct {
	// Flags are sandboxing flags in the form of the sandbox attribute (HTML, section 4.8.5):
	// "allow-modals", "allow-pointer-lock".
	Flags []string
	// Permissions are features of Permissions Policy, such as "camera". [Grantable] returns
	// all of them.
	Permissions []string
}

// grantableFlags are the flags that a sandbox may have. The others would let it out. Its
// policies do not bind a window, a tab, or the page around it. Nobody has shown that anything
// here judges the request for a download.
var grantableFlags = []string{"allow-modals", "allow-pointer-lock"}

// grantablePermissions are the features that a sandbox may have. The list leaves out features
// that talk to other machines or devices (usb, serial, hid, midi). It leaves out those that
// start or end a session elsewhere (payment, identity-credentials-get), and those that show
// more than the user is asked for.
var grantablePermissions = []string{
	"autoplay", "camera", "clipboard-read", "clipboard-write", crossOriginIsolated, "fullscreen", "gamepad",
	"geolocation", "microphone", "picture-in-picture", "screen-wake-lock",
}

// crossOriginIsolated is the permission to share memory between threads.
const crossOriginIsolated = "cross-origin-isolated"

// Grantable returns the flags and the permissions that can be granted, sorted.
func Grantable() Grants {
	return Grants{Flags: slices.Clone(grantableFlags), Permissions: slices.Clone(grantablePermissions)}
}

// CheckFlags returns an error that names the first flag that cannot be granted.
func (g Grants) CheckFlags() error { return check("sandboxing flag", g.Flags, grantableFlags) }

// CheckPermissions returns an error that names the first permission that cannot be granted.
func (g Grants) CheckPermissions() error {
	return check("permission", g.Permissions, grantablePermissions)
}

func check(what string, asked, grantable []string) error {
	for _, name := range asked {
		if !slices.Contains(grantable, name) {
			return fmt.Errorf("the %s %.100q cannot be granted; those that can are %s", what, name, strings.Join(grantable, ", "))
		}
	}
	return nil
}

// Sorted returns the grants sorted and without duplicates. Its lists are never nil.
func (g Grants) Sorted() Grants {
	sorted := func(names []string) []string {
		all := append([]string{}, names...)
		slices.Sort(all)
		return slices.Compact(all)
	}
	return Grants{sorted(g.Flags), sorted(g.Permissions)}
}

// Sandbox returns the value of the sandbox attribute of the view's frame, and of the sandbox
// directive of the view's documents. It never contains a flag that cannot be granted, whatever
// Flags has.
func (g Grants) Sandbox() string {
	return strings.Join(append([]string{sandboxFlags}, among(grantableFlags, g.Flags)...), " ")
}

// Allow returns the value of the allow attribute of a frame that gets the permissions, for the
// origin of its address.
func (g Grants) Allow() string {
	return strings.Join(among(grantablePermissions, g.Permissions), "; ")
}

// documentIsolation returns the value of Document-Isolation-Policy, or "" if documents are not
// isolated. The header isolates a document and its workers in any frame. It works in Chromium
// only. Chromium (156) checks neither Permissions-Policy nor the allow attribute for it, so
// without the permission the header must be missing.
//
// The value isolate-and-require-corp would isolate, too, but it blocks an allowed host's
// response that has no Cross-Origin-Resource-Policy.
func (g Grants) documentIsolation() string {
	if slices.Contains(g.Permissions, crossOriginIsolated) {
		return "isolate-and-credentialless"
	}
	return ""
}

// among returns the names that can be granted and are granted.
func among(grantable, granted []string) []string {
	return slices.DeleteFunc(slices.Clone(grantable), func(name string) bool { return !slices.Contains(granted, name) })
}

// permissionsPolicy turns every feature off, for the document and all its frames, except the
// features that are granted to the sandbox. Those are on for the sandbox's documents, and for
// the pages around them, which can pass on only what they have.
func permissionsPolicy(c Class, s Site) string {
	granted := among(grantablePermissions, s.Grants.Permissions)
	if len(granted) == 0 {
		return allOff
	}
	switch c {
	case Inner:
		return browser.PermissionsPolicy(granted, "(self)")
	case Outer:
		return browser.PermissionsPolicy(granted, `(self "`+s.Inner+`")`)
	case HostPage:
		return browser.PermissionsPolicy(granted, `(self "`+s.Outer+`" "`+s.Inner+`")`)
	default:
		return allOff
	}
}

// allOff is the value for nearly every response.
var allOff = browser.PermissionsPolicy(nil, "")
