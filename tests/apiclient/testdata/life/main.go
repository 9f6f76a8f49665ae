// Program life takes a sandbox from its creation to its removal by the HTTP API. It has
// nothing but the client that a generator makes from the API's OpenAPI document: the test
// that builds this program adds client.gen.go.
//
//	life PORT TOKEN
//
// It says on standard output, a line each, what a browser is to show by then, and goes on
// after a line on standard input. It reports each mistake on standard error, and exits
// with 1 if there was one.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// patience bounds the whole run.
const patience = 4 * time.Minute

func main() {
	client, err := connect(os.Args[1], os.Args[2])
	must(err)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l := &life{client: client, ctx: ctx, answers: bufio.NewScanner(os.Stdin)}
	l.create()
	l.follow()
	l.changeFiles()
	l.changePolicy()
	l.run()
	l.replaceFiles()
	l.remove()
	if l.failed {
		os.Exit(1)
	}
}

// connect makes a client as a program does. It dials the loopback address, because Go's
// resolver may not know localhost.
func connect(port, token string) (*ClientWithResponses, error) {
	var dialer net.Dialer
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	}}
	return NewClientWithResponses("http://localhost:"+port+"/api/v1",
		WithHTTPClient(&http.Client{Transport: transport}),
		WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
}

// A life is one sandbox, and what the program knows of it.
type life struct {
	client  *ClientWithResponses
	ctx     context.Context
	answers *bufio.Scanner // of the test
	events  *bufio.Scanner // of the sandbox
	failed  bool

	wanted   NewSandbox
	key      string // of the creation
	id       string
	outerURL string
}

// show asks the test to show a text in a browser, and waits until it does.
func (l *life) show(text string) {
	fmt.Println(l.outerURL, text)
	if !l.answers.Scan() {
		fatal("the test has not answered for %q: %v", text, l.answers.Err())
	}
}

// await reads the sandbox's events up to one with the text.
func (l *life) await(text string) {
	for l.events.Scan() {
		if strings.HasPrefix(l.events.Text(), "data: ") && strings.Contains(l.events.Text(), text) {
			return
		}
	}
	fatal("no event with %q: %v", text, l.events.Err())
}

func (l *life) errorf(format string, args ...any) {
	l.failed = true
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

func fatal(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}

func must(err error) {
	if err != nil {
		fatal("%v", err)
	}
}

// answered returns what a call has answered with, and ends the program if it failed.
func answered[A any](answer A, err error) A {
	must(err)
	return answer
}
