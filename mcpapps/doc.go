// Package mcpapps turns what an MCP App declares into a policy that Bellglass enforces.
//
// [ParseCSP] reads the domains of _meta.ui.csp, and [Compile] makes a policy of them:
//
//	declared, err := mcpapps.ParseCSP([]byte(`{"connectDomains": ["https://api.example.com"]}`))
//	app, err := mcpapps.Compile(declared, mcpapps.Options{})
//	// app.Policy goes into server.Spec; app.Cuts says what was not granted, and why.
//
// A program that runs no server makes the headers of an app's document with
// [App.Headers].
//
// When a policy has refused something, [Advisor.Advise] says which entry of the declaration
// would allow it.
//
// The words are those of the MCP Apps specification, 2026-01-26, section "Sandbox
// proxy" and "Host behavior". An app gets the domains that it declares and nothing else.
// What is not understood is not granted.
package mcpapps
