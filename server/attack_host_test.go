package server

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// If an attacker points a page's name at this machine (DNS rebinding), the page is same-origin
// with everything that answers to that name. So nothing does.

// routes returns all paths of the server, by the host that they belong to.
func routes(s *Server, sandbox *Sandbox) map[string][]string {
	outer := strings.TrimPrefix(s.outerOrigin, "http://")
	return map[string][]string{
		s.config.public.authority("localhost"): {"/", "/sandboxes/" + sandbox.ID(), "/healthz"},
		outer:                                  {"/" + sandbox.ID(), protocol.ListedPath, protocol.StreamCheckPath, protocol.UnlistedPath, "/" + sandbox.ID() + "/events?token=" + sandbox.token, "/" + sandbox.ID() + "/reports?token=" + sandbox.token},
		strings.TrimPrefix(sandbox.URL(), "http://"): {
			"/", "/index.html", "/.bellglass/boot",
			"/.bellglass/sw.js", "/.bellglass/state", "/.bellglass/changes", "/.bellglass/verdicts",
			"/.bellglass/blob/" + strings.Repeat("0", 64),
		},
	}
}

func TestForeignNamesReachNothing(t *testing.T) {
	s, sandbox, addr := listening(t)
	port, err := strconv.Atoi(strings.TrimPrefix(s.config.public.port, ":"))
	if err != nil {
		t.Fatal(err)
	}
	wide := strings.Replace(fmt.Sprintf("%s.sandbox.localhost:%d", sandbox.ID(), port), "s", "ſ", 1)
	for own, paths := range routes(s, sandbox) {
		name, _, _ := strings.Cut(own, ":")
		hosts := []string{
			"",
			"evil.test",
			fmt.Sprintf("evil.test:%d", port),
			name,
			name + ":",
			fmt.Sprintf("%s:%d", name, port+1),
			fmt.Sprintf("%s:0%d", name, port),
			fmt.Sprintf("%s.:%d", name, port),
			fmt.Sprintf("%s..:%d", name, port),
			"user@" + own,
			"user:x@" + own,
			own + "@evil.test",
			own + ".evil.test",
			own + ",evil.test",
			"evil.test," + own,
			own + ";evil.test",
			"%6c" + own[1:],
			"www." + own,
			"-" + own,
			"http://" + own,
			own + "/",
			own + `\`,
			own + "\x00",
			wide,

			fmt.Sprintf("[::ffff:127.0.0.1]:%d", port),
			fmt.Sprintf("[0:0:0:0:0:0:0:1]:%d", port),
			fmt.Sprintf("[::1%%25lo]:%d", port),
			fmt.Sprintf("::1:%d", port),
			fmt.Sprintf("127.1:%d", port),
			fmt.Sprintf("2130706433:%d", port),
			fmt.Sprintf("0x7f.0.0.1:%d", port),
			fmt.Sprintf("0.0.0.0:%d", port),
		}
		for _, path := range paths {
			request := func(target, hostLines string) string {
				return "GET " + target + " HTTP/1.1\r\n" + hostLines + "Sec-Fetch-Dest: iframe\r\nSec-Fetch-Site: same-origin\r\nBellglass-Secret: " + sandbox.secret + "\r\nBellglass-Key: " + sandbox.key + "\r\nConnection: close\r\n\r\n"
			}
			// 400 is for a text that is not a host name, and 421 for a name that is not ours.
			check := func(what, request string) {
				t.Helper()
				answers := raw(t, addr, http.MethodGet, request)
				if len(answers) != 1 || answers[0].status != http.StatusMisdirectedRequest && answers[0].status != http.StatusBadRequest {
					t.Errorf("%s, %s: got %+v, want one answer with status 400 or 421", path, what, answers)
					return
				}
				if err := policed(answers[0].header); err != nil {
					t.Errorf("%s, %s: %v", path, what, err)
				}
				if strings.Contains(answers[0].body, sandbox.ID()) && !strings.Contains(what, sandbox.ID()) || strings.Contains(answers[0].body, sandbox.token) {
					t.Errorf("%s, %s: the answer tells %q", path, what, answers[0].body)
				}
			}
			for _, host := range hosts {
				check(host, request(path, "Host: "+host+"\r\n"))
				// The authority in the request target counts (RFC 9112, section 3.2.2).
				if host != "" && !strings.HasSuffix(host, "@"+own) && host != own+"/" {
					check("absolute-form of "+host, request("http://"+host+path, "Host: "+own+"\r\n"))
				}
			}
			check("two hosts "+own, request(path, "Host: "+own+"\r\nHost: evil.test\r\n"))
			check("two hosts, foreign first "+own, request(path, "Host: evil.test\r\nHost: "+own+"\r\n"))
			check("folded host "+own, request(path, "Host: evil.test\r\n "+own+"\r\n"))
			check("HTTP/1.0 without host", strings.Replace(request(path, ""), "HTTP/1.1", "HTTP/1.0", 1))
			check("forwarded for "+own, request(path, "Host: evil.test\r\nX-Forwarded-Host: "+own+"\r\nForwarded: host="+own+"\r\nX-Original-URL: http://"+own+path+"\r\n"))
		}
	}

	// The controls: our own names, also in upper case and in absolute-form.
	for own, paths := range routes(s, sandbox) {
		for _, request := range []string{
			"GET " + paths[0] + " HTTP/1.1\r\nHost: " + own + "\r\n",
			"GET " + paths[0] + " HTTP/1.1\r\nHost: " + strings.ToUpper(own) + "\r\n",
			"GET http://" + own + paths[0] + " HTTP/1.1\r\nHost: evil.test\r\n",
			"GET " + paths[0] + " HTTP/1.1\r\nHost:\t" + own + " \r\n",
		} {
			answers := raw(t, addr, http.MethodGet, request+"Sec-Fetch-Dest: iframe\r\nConnection: close\r\n\r\n")
			if len(answers) != 1 || answers[0].status != http.StatusOK {
				t.Errorf("%q: got %+v, want 200", request, answers)
			}
		}
	}
}

// The host page's alias redirects to the host page and nowhere else.
func TestAliasLeadsToTheHostPageAlone(t *testing.T) {
	s, sandbox, addr := listening(t)
	origin := s.config.origin("localhost")
	for _, row := range []struct {
		method, target string
		want           string // the Location; "" for a refusal
	}{
		{"GET", "/", origin + "/"},
		{"GET", "/sandboxes/" + sandbox.ID() + "?a=b#c", origin + "/sandboxes/" + sandbox.ID() + "?a=b#c"},
		{"HEAD", "/", origin + "/"},
		{"GET", "//evil.test/", origin + "//evil.test/"},
		{"GET", `/\evil.test/`, origin + "/%5Cevil.test/"},
		{"GET", "/%0d%0aLocation:%20http://evil.test/", origin + "/%0d%0aLocation:%20http://evil.test/"},
		{"GET", "/%5cevil.test", origin + "/%5cevil.test"},
		{"GET", "/?u=http://evil.test/", origin + "/?u=http://evil.test/"},
		{"GET", "/.evil.test/", origin + "/.evil.test/"},
		{"GET", "/@evil.test/", origin + "/@evil.test/"},

		{"GET", "x:@evil.test/", ""},
		{"GET", "x:0.evil.test/", ""},
		{"GET", "mailto:evil.test", ""},
		{"OPTIONS", "*", ""},
		{"POST", "/", ""},
		{"OPTIONS", "/", ""},
	} {
		answers := raw(t, addr, row.method, row.method+" "+row.target+" HTTP/1.1\r\nHost: "+s.config.public.authority("[::1]")+"\r\nConnection: close\r\n\r\n")
		if len(answers) != 1 {
			t.Errorf("%s %s: %+v", row.method, row.target, answers)
			continue
		}
		got, status := answers[0].header.Get("Location"), http.StatusTemporaryRedirect
		if row.want == "" {
			status = http.StatusNotFound
		}
		if got != row.want || answers[0].status != status {
			t.Errorf("%s %s: %d to %q, want %d to %q", row.method, row.target, answers[0].status, got, status, row.want)
		}
		if err := policed(answers[0].header); err != nil {
			t.Errorf("%s %s: %v", row.method, row.target, err)
		}
	}
}
