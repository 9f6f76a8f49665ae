package server

import (
	"net/http"
	"strings"
	"testing"
)

// These are requests that net/http answers itself. A document without a policy on a sandbox's
// own origin is a way out. tests/attack/bare_test.go tries it.
func TestUnreadableRequestsAreAnsweredWithPolicies(t *testing.T) {
	s, sandbox, addr := listening(t)
	host := strings.TrimPrefix(sandbox.URL(), "http://")
	const frame = "Sec-Fetch-Dest: iframe\r\n"
	plain := unguarded(t, s)
	for what, request := range map[string]string{
		"escape without digits":    "GET /%zz HTTP/1.1\r\nHost: " + host + "\r\n" + frame + "\r\n",
		"escape cut off":           "GET /% HTTP/1.1\r\nHost: " + host + "\r\n" + frame + "\r\n",
		"target too long":          "GET /" + strings.Repeat("a", 2<<20) + " HTTP/1.1\r\nHost: " + host + "\r\n" + frame + "\r\n",
		"cookies too long":         "GET / HTTP/1.1\r\nHost: " + host + "\r\n" + frame + "Cookie: a=" + strings.Repeat("a", 2<<20) + "\r\n\r\n",
		"no path":                  "GET x HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
		"no host":                  "GET / HTTP/1.1\r\n" + frame + "\r\n",
		"two hosts":                "GET / HTTP/1.1\r\nHost: " + host + "\r\nHost: " + host + "\r\n" + frame + "\r\n",
		"host with a space":        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
		"host of other characters": "GET / HTTP/1.1\r\nHost: \xc4\xb0.test\r\n\r\n",
		"header without a name":    "GET / HTTP/1.1\r\nHost: " + host + "\r\n: x\r\n\r\n",
		"NUL in a header":          "GET / HTTP/1.1\r\nHost: " + host + "\r\nX: a\x00b\r\n\r\n",
		"unknown version":          "GET / HTTP/3.7\r\nHost: " + host + "\r\n\r\n",
		"unknown transfer coding":  "POST / HTTP/1.1\r\nHost: " + host + "\r\nTransfer-Encoding: gzip\r\n\r\n",
		"two lengths":              "POST / HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"length of no number":      "POST / HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: +1\r\n\r\na",
		"unknown expectation":      "POST / HTTP/1.1\r\nHost: " + host + "\r\nExpect: more\r\nContent-Length: 1\r\n\r\na",
		"no HTTP":                  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
	} {
		t.Run(what, func(t *testing.T) {
			answers := raw(t, addr, http.MethodGet, request)
			if len(answers) != 1 || answers[0].status != http.StatusBadRequest || !strings.Contains(answers[0].body, "unreadable-request") {
				t.Fatalf("answers: %+v", answers)
			}
			if err := policed(answers[0].header); err != nil {
				t.Error(err)
			}
			if csp := answers[0].header.Get("Content-Security-Policy"); !strings.Contains(csp, "; sandbox") {
				t.Errorf("the policy is %q, without sandbox", csp)
			}
			// The control: without the guard, the answer to the same request has no policy.
			answers = raw(t, plain, http.MethodGet, request)
			if len(answers) != 1 || policed(answers[0].header) == nil {
				t.Errorf("without the guard: %+v", answers)
			}
		})
	}
}

// The guard determines for each request on a connection whether a handler answers.
func TestUnreadableAfterReadable(t *testing.T) {
	_, sandbox, addr := listening(t)
	get := "GET / HTTP/1.1\r\nHost: " + strings.TrimPrefix(sandbox.URL(), "http://") + "\r\nSec-Fetch-Dest: iframe\r\n\r\n"
	answers := raw(t, addr, http.MethodGet, get+get+strings.Replace(get, "GET /", "GET /%zz", 1)+get)
	var statuses []int
	for _, a := range answers {
		statuses = append(statuses, a.status)
		if err := policed(a.header); err != nil {
			t.Errorf("answer %d: %v", len(statuses), err)
		}
	}
	if len(statuses) != 3 || statuses[0] != 200 || statuses[1] != 200 || statuses[2] != 400 {
		t.Errorf("the answers are %v, want 200, 200, 400 and the end", statuses)
	}
}

// OPTIONS * reaches the handler, which treats it like any other path.
func TestOptionsOfTheWholeServer(t *testing.T) {
	s, sandbox, addr := listening(t)
	request := "OPTIONS * HTTP/1.1\r\nHost: " + strings.TrimPrefix(sandbox.URL(), "http://") + "\r\nConnection: close\r\n\r\n"
	answers := raw(t, addr, http.MethodOptions, request)
	if len(answers) != 1 || answers[0].status != http.StatusForbidden || policed(answers[0].header) != nil {
		t.Errorf("answers: %+v", answers)
	}
	if control := raw(t, unguarded(t, s), http.MethodOptions, request); len(control) != 1 || control[0].status != http.StatusOK {
		t.Errorf("without the guard: %+v", control)
	}
}
