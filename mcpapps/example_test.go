package mcpapps_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/bellglass/bellglass/mcpapps"
)

// A program that serves an app's document itself derives the headers from _meta.ui.
func ExampleApp_Headers() {
	ui, err := mcpapps.ParseUI([]byte(`{"csp": {"connectDomains": ["https://api.example.com", "*"]}, "permissions": {"camera": {}}}`))
	if err != nil {
		log.Fatal(err)
	}
	app, err := ui.Compile(mcpapps.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, cut := range app.Cuts {
		fmt.Println(cut)
	}
	headers, err := app.Headers(mcpapps.Document{
		Origin: "http://app1.localhost:4000", Ancestors: []string{"http://localhost:8080"}, Features: ui.Features(),
	})
	if err != nil {
		log.Fatal(err)
	}
	for directive := range strings.SplitSeq(headers.Get("Content-Security-Policy"), "; ") {
		if strings.HasPrefix(directive, "connect-src") || strings.HasPrefix(directive, "frame-ancestors") {
			fmt.Println(directive)
		}
	}
	// Output:
	// connectDomains: "*" is not granted: it names every host; name the hosts that the app uses
	// connect-src https://api.example.com
	// frame-ancestors 'self' http://localhost:8080
}
