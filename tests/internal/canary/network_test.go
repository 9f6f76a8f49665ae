package canary

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"testing"
	"time"
)

// A hit belongs to the token of the address that it was sent to, or of the name that
// was looked up, whatever it says.
func TestNetworkAttributes(t *testing.T) {
	n := StartNetwork(t, "127.0.0.1:0")
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", n.udp["dns"].LocalAddr().String())
	}}
	dial := func(token string) string {
		t.Helper()
		addresses, err := resolver.LookupHost(t.Context(), "below."+n.Host(token))
		if err != nil || len(addresses) != 1 {
			t.Fatalf("%s is at %v (%v)", token, addresses, err)
		}
		return net.JoinHostPort(addresses[0], fmt.Sprint(n.Port()))
	}

	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	get := func(url string) (string, *http.Response) {
		t.Helper()
		response, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body), response
	}
	get("http://" + dial("plain") + "/x")
	get("https://" + dial("secret") + "/x")
	silent, err := net.Dial("tcp", dial("silent"))
	if err != nil {
		t.Fatal(err)
	}
	silent.Close()
	datagram, err := net.Dial("udp", dial("datagram"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(datagram, "hello")
	datagram.Close()
	if _, err := resolver.LookupHost(t.Context(), "somebody.else.test"); err == nil {
		t.Error("an unassigned name resolves")
	}

	if _, answer := get("http://" + dial("obeys") + "/redirect?to=http%3A%2F%2Felsewhere.test%2F"); answer.StatusCode != http.StatusFound || answer.Header.Get("Location") != "http://elsewhere.test/" {
		t.Errorf("the redirect is %d to %q", answer.StatusCode, answer.Header.Get("Location"))
	}
	if body, answer := get("http://" + dial("obeys") + "/answer?status=404&type=text/css&body=b&header=Link:%20%3Cx%3E&header=Link:%20y"); answer.StatusCode != http.StatusNotFound || body != "b" || len(answer.Header["Link"]) != 2 {
		t.Errorf("the answer is %d %q %v", answer.StatusCode, body, answer.Header)
	}

	transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := n.Quiesce(ctx); err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string][]string{
		"plain": {"dns", "http", "tcp"}, "secret": {"dns", "http", "tcp"}, "silent": {"dns", "tcp"}, "datagram": {"dns", "udp"},
	} {
		kinds := map[string]bool{}
		for _, hit := range n.Hits(token) {
			kinds[hit.Kind] = true
			if hit.Kind == "http" && hit.Secure != (token == "secret") {
				t.Errorf("%s: secure is %t", token, hit.Secure)
			}
		}
		var got []string
		for kind := range kinds {
			got = append(got, kind)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", token, got, want)
		}
	}
	strange := false
	for _, stray := range n.Strays() {
		strange = strange || stray.Kind == "dns" && stray.Host == "somebody.else.test"
	}
	if !strange {
		t.Errorf("the strays are %+v", n.Strays())
	}
}
