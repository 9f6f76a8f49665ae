package firewall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules/browser"
)

// Grants are what a sandbox may do beside what each may: what concerns the person
// before the screen or a device, and never the network. The zero value grants nothing.
//
// A grant is a way to what the browser would refuse unasked; where it asks the person,
// it still does. It asks for the page around the sandbox and remembers the answer for
// that one, so sandboxes with the same grant in one page share it. The page around has
// to hand a permission on: the frame's allow attribute must name it, but for the few that
// browsers hand to each frame (gamepad, picture-in-picture).
type Grants struct {
	// Flags are sandboxing flags as the sandbox attribute has them (HTML, section
	// 4.8.5): "allow-modals", "allow-pointer-lock".
	Flags []string
	// Permissions are features of Permissions Policy, as "camera": [Grantable] are all.
	Permissions []string
}

// grantableFlags are the flags that a sandbox may have. The others would let it out:
// a window, a tab or the page around is bound by none of its policies, and of the
// request for a download nobody has shown that anything here judges it.
var grantableFlags = []string{"allow-modals", "allow-pointer-lock"}

// grantablePermissions are the features that a sandbox may have. Not among them is what
// speaks to other machines or devices (usb, serial, hid, midi), starts or ends a
// session somewhere (payment, identity-credentials-get), or shows more than the
// person is asked for.
var grantablePermissions = []string{
	"autoplay", "camera", "clipboard-read", "clipboard-write", "fullscreen", "gamepad", "geolocation", "microphone",
	"picture-in-picture", "screen-wake-lock",
}

// Grantable returns the flags and the permissions that can be granted, sorted.
func Grantable() Grants {
	return Grants{Flags: slices.Clone(grantableFlags), Permissions: slices.Clone(grantablePermissions)}
}

// CheckFlags returns an error that names the first flag which cannot be granted.
func (g Grants) CheckFlags() error { return check("sandboxing flag", g.Flags, grantableFlags) }

// CheckPermissions returns an error that names the first permission which cannot be
// granted.
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

// Sorted returns the grants without repetition, sorted. Its lists are never nil.
func (g Grants) Sorted() Grants {
	sorted := func(names []string) []string {
		all := append([]string{}, names...)
		slices.Sort(all)
		return slices.Compact(all)
	}
	return Grants{sorted(g.Flags), sorted(g.Permissions)}
}

// Sandbox is the value of the sandbox attribute of the view's frame, and of the
// sandbox directive of the view's documents. A flag that cannot be granted is not
// in it, whatever Flags has.
func (g Grants) Sandbox() string {
	return strings.Join(append([]string{sandboxFlags}, among(grantableFlags, g.Flags)...), " ")
}

// Allow is the value of the allow attribute of a frame that is to have the
// permissions, for the origin of its address.
func (g Grants) Allow() string {
	return strings.Join(among(grantablePermissions, g.Permissions), "; ")
}

// among returns those that can be granted and are.
func among(grantable, granted []string) []string {
	return slices.DeleteFunc(slices.Clone(grantable), func(name string) bool { return !slices.Contains(granted, name) })
}

// permissionsPolicy switches every feature off, for the document and all its
// frames, but for what is granted to the sandbox: that is for the sandbox's documents
// and for the pages around them, which can hand on only what they have.
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

// allOff is what nearly every response has.
var allOff = browser.PermissionsPolicy(nil, "")
