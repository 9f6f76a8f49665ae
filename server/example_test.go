package server_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

// A server is an http.Handler. A service with its own pages passes it the requests for the
// hosts that the server owns.
func Example_mount() {
	glass, err := server.New(server.Config{PublicURL: "http://localhost:8080"})
	if err != nil {
		log.Fatal(err)
	}
	defer glass.Close()
	files, err := glass.Store().Snapshot(map[string][]byte{"/index.html": []byte("<h1>Hello</h1>")}, vfs.DefaultLimits())
	if err != nil {
		log.Fatal(err)
	}
	sandbox, err := glass.Create(server.Spec{Name: "hello", Files: files})
	if err != nil {
		log.Fatal(err)
	}

	own := http.NewServeMux()
	own.HandleFunc("GET /docs", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<iframe src="%s"></iframe>`, sandbox.OuterURL())
	})
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if glass.Owns(r.Host) {
			glass.ServeHTTP(w, r)
			return
		}
		own.ServeHTTP(w, r)
	})

	// Serve it by glass.ServeBeside(ctx, listeners, own), which does the same. Or use your own
	// http.Server, with glass.Guard and RegisterOnShutdown(glass.End).
	for _, address := range []string{"http://localhost:8080/docs", sandbox.OuterURL(), sandbox.OuterURL() + "/events"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", address, nil)
		r.Header.Set("Sec-Fetch-Dest", "iframe") // as a browser does
		service.ServeHTTP(w, r)
		fmt.Println(w.Code, strings.ReplaceAll(address, sandbox.ID(), "{id}"))
	}
	// Output:
	// 200 http://localhost:8080/docs
	// 200 http://sandbox.localhost:8080/{id}
	// 403 http://sandbox.localhost:8080/{id}/events
}

// A sandbox runs files under a policy. Both can be changed while it runs.
func Example() {
	glass, err := server.New(server.Config{PublicURL: "http://localhost:8080"})
	if err != nil {
		log.Fatal(err)
	}
	defer glass.Close()
	policy, err := rules.Parse("policy.yaml", []byte("version: 1\nscripts: [inline]\n"))
	if err != nil {
		log.Fatal(err)
	}
	first, err := glass.Store().Snapshot(map[string][]byte{"/index.html": []byte("<script>1</script>")}, vfs.DefaultLimits())
	if err != nil {
		log.Fatal(err)
	}
	sandbox, err := glass.Create(server.Spec{Name: "generated", Files: first, Policy: policy})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("revision", sandbox.Revision())

	second, err := first.With(vfs.Put("/style.css", []byte("h1 { color: teal }")))
	if err != nil {
		log.Fatal(err)
	}
	revision, err := sandbox.SetFiles(second)
	fmt.Println("revision", revision, err)

	// An invalid policy never reaches a sandbox.
	_, err = rules.Parse("policy.yaml", []byte("version: 1\nrules:\n  - id: api\n    alow: https://api.example.com\n"))
	fmt.Println(err)
	revision, err = sandbox.SetPolicy(nil) // blocks everything
	fmt.Println("revision", revision, err)

	fmt.Println(glass.Remove(sandbox.ID()))
	_, err = sandbox.SetFiles(first)
	fmt.Println(strings.ReplaceAll(err.Error(), sandbox.ID(), "{id}"))
	// Output:
	// revision 1
	// revision 2 <nil>
	// policy.yaml:4:5: unknown key "alow" in rule 1; the keys are id, allow, block, except, methods, types, reason, enforce
	// revision 3 <nil>
	// true
	// sandbox {id}: the sandbox has been removed
}

// Events follows the events of a sandbox through a filter, until the sandbox ends.
func ExampleSandbox_Events() {
	glass, err := server.New(server.Config{PublicURL: "http://localhost:8080"})
	if err != nil {
		log.Fatal(err)
	}
	files, err := glass.Store().Snapshot(nil, vfs.DefaultLimits())
	if err != nil {
		log.Fatal(err)
	}
	sandbox, err := glass.Create(server.Spec{Name: "empty", Files: files})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := sandbox.SetPolicy(nil); err != nil {
		log.Fatal(err)
	}
	glass.Close()

	steps := server.EventFilter{Types: []string{"lifecycle"}}
	for event, err := range sandbox.Events(context.Background(), steps, 0) {
		if err != nil {
			log.Fatal(err)
		}
		switch e := event.(type) {
		case protocol.LifecycleEvent:
			fmt.Println(e.ID, e.Step, e.Text)
		}
	}
	// Output:
	// 1 created 0 files, policy block all
	// 2 policy policy block all
	// 3 removed the server was closed
}

// A host in Go runs the sandbox proxy in its own program: the server is an http.Handler.
func Example_mcpApps() {
	proxy, err := server.New(server.Config{Embedders: []string{"http://localhost:8080"}, MCPApps: &mcpapps.Options{}})
	if err != nil {
		log.Fatal(err)
	}
	defer proxy.Close()
	fmt.Println(proxy.ProxyURL())

	// Serve it by server.Listen and proxy.Serve, or in your own http.Server. A browser sends
	// this request for the frame in the host's page.
	r := httptest.NewRequest(http.MethodGet, proxy.ProxyURL()+`?csp={"connectDomains":["https://api.example.com"]}`, nil)
	r.Header.Set("Sec-Fetch-Dest", "iframe")
	w := httptest.NewRecorder()
	proxy.ServeHTTP(w, r)
	fmt.Println(w.Code, len(proxy.Sandboxes()))
	// Output:
	// http://sandbox.localhost:3333/sandbox.html
	// 303 1
}
