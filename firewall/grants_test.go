package firewall_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
)

// Only the classes around the sandbox pass a permission on, and only to the sandbox. In each
// class everything that is not granted is off.
func TestPermissions(t *testing.T) {
	granted := firewall.Grants{Permissions: []string{"camera", "gamepad"}}
	lists := map[firewall.Class]string{
		firewall.Inner:    `(self)`,
		firewall.Outer:    `(self "` + site.Inner + `")`,
		firewall.HostPage: `(self "` + site.Outer + `" "` + site.Inner + `")`,
	}
	for _, class := range firewall.Classes {
		site := site
		for _, grants := range []firewall.Grants{{}, granted, {Permissions: []string{"usb", "serial", "*", "camera=*, usb"}}} {
			site.Grants = grants
			header := judge(t, richPolicy).Headers(class, site).Get("Permissions-Policy")
			seen := 0
			for item := range strings.SplitSeq(header, ", ") {
				name, list, _ := strings.Cut(item, "=")
				want := "()"
				if slices.Contains(granted.Permissions, name) && slices.Contains(grants.Permissions, name) && lists[class] != "" {
					want = lists[class]
				}
				if list != want {
					t.Errorf("%s with %q: %s is %s, want %s", classNames[class], grants.Permissions, name, list, want)
				}
				seen++
			}
			if seen < 40 {
				t.Errorf("%s names %d features: %s", classNames[class], seen, header)
			}
		}
	}
}

// Only the sandbox's own documents and workers are isolated, and only with the grant.
func TestDocumentIsolation(t *testing.T) {
	for _, c := range []struct {
		permissions []string
		want        string
	}{
		{nil, ""},
		{[]string{"camera", "cross-origin-isolated=*", "Cross-Origin-Isolated"}, ""},
		{[]string{"camera", "cross-origin-isolated"}, "isolate-and-credentialless"},
	} {
		for _, class := range firewall.Classes {
			site, want := site, ""
			if class == firewall.Inner {
				want = c.want
			}
			site.Grants.Permissions = c.permissions
			if got := judge(t, richPolicy).Headers(class, site).Get("Document-Isolation-Policy"); got != want {
				t.Errorf("%s with %q: the header is %q, want %q", classNames[class], c.permissions, got, want)
			}
		}
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "allow-scripts allow-same-origin allow-forms"},
		{[]string{"allow-modals"}, "allow-scripts allow-same-origin allow-forms allow-modals"},
		{[]string{"allow-pointer-lock", "allow-modals", "allow-modals"}, "allow-scripts allow-same-origin allow-forms allow-modals allow-pointer-lock"},
		// Flags that were never checked have no effect either.
		{[]string{"allow-popups", "allow-top-navigation allow-modals", "allow-downloads; default-src *"}, "allow-scripts allow-same-origin allow-forms"},
	} {
		site := site
		site.Grants = firewall.Grants{Flags: c.flags}
		if got := site.Grants.Sandbox(); got != c.want {
			t.Errorf("%q: the attribute is %q, want %q", c.flags, got, c.want)
		}
		if got := strings.Join(directives(t, judge(t, richPolicy).Headers(firewall.Inner, site))["sandbox"], " "); got != c.want {
			t.Errorf("%q: the directive is %q, want %q", c.flags, got, c.want)
		}
		// The boot page gets no granted flags.
		if got := strings.Join(directives(t, judge(t, richPolicy).Headers(firewall.Boot, site))["sandbox"], " "); got != "allow-scripts allow-same-origin allow-forms" {
			t.Errorf("%q: the boot page has %q", c.flags, got)
		}
	}
}

func TestWhatCannotBeGranted(t *testing.T) {
	all := firewall.Grantable()
	if err := all.CheckFlags(); err != nil {
		t.Error(err)
	}
	if err := all.CheckPermissions(); err != nil {
		t.Error(err)
	}
	word := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	for _, name := range slices.Concat(all.Flags, all.Permissions) {
		if !word.MatchString(name) {
			t.Errorf("%q is no keyword", name)
		}
	}
	for _, flag := range []string{"", "allow-popups", "allow-popups-to-escape-sandbox", "allow-top-navigation", "allow-top-navigation-by-user-activation", "allow-downloads", "allow-storage-access-by-user-activation", "allow-scripts", "ALLOW-MODALS", "allow-modals "} {
		if err := (firewall.Grants{Flags: []string{"allow-modals", flag}}).CheckFlags(); err == nil || !strings.Contains(err.Error(), "cannot be granted; those that can are allow-modals, allow-pointer-lock") {
			t.Errorf("%q: %v", flag, err)
		}
	}
	for _, permission := range []string{"", "usb", "serial", "hid", "midi", "payment", "display-capture", "local-network-access", "storage-access", "*", "Camera", "camera=*"} {
		if err := (firewall.Grants{Permissions: []string{"camera", permission}}).CheckPermissions(); err == nil || !strings.Contains(err.Error(), "cannot be granted; those that can are autoplay, ") {
			t.Errorf("%q: %v", permission, err)
		}
	}
	sorted := firewall.Grants{Permissions: []string{"gamepad", "camera", "gamepad"}}.Sorted()
	if !slices.Equal(sorted.Permissions, []string{"camera", "gamepad"}) || sorted.Flags == nil || len(sorted.Flags) > 0 {
		t.Errorf("sorted: %#v", sorted)
	}
	if got, want := sorted.Allow(), "camera; gamepad"; got != want {
		t.Errorf("the allow attribute is %q, want %q", got, want)
	}
}
