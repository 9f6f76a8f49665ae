// Package mcpapps turns the declaration of an MCP App into a policy that Bellglass
// enforces.
//
// [ParseCSP] parses the domains of _meta.ui.csp, and [Compile] turns them into a
// policy:
//
//	declared, err := mcpapps.ParseCSP([]byte(`{"connectDomains": ["https://api.example.com"]}`))
//	app, err := mcpapps.Compile(declared, mcpapps.Options{})
//	// app.Policy goes into server.Spec; app.Cuts says what was not granted, and why.
//
// A program that runs no Bellglass server gets the headers for an app's document from
// [App.Headers].
//
// When a policy refuses a request, [Advisor.Advise] says which entry of the declaration
// would allow it.
//
// The terms are those of the MCP Apps specification, 2026-01-26, sections "Sandbox
// proxy" and "Host behavior". An app gets the domains that it declares and nothing
// else. An entry that is not understood is not granted.
package mcpapps
