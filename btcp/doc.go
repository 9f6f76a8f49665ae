// Package btcp implements BTCP, the Browser Tool Calling Protocol, by which an agent
// runs tools in a browser.
//
// [ParseCapabilities] parses what a tool is granted, and [Grant.Network] turns that
// into policies for the browser:
//
//	grant, err := btcp.ParseCapabilities([]string{"network:fetch:https://api.example.com"})
//	network := grant.Network(policy) // the rules of the policy that the grant opens
//
// [Call] and [Reply] are the protocol's messages. [Call.Check] reports what is wrong
// with a call before any of it runs.
//
// A capability never opens more than the policy allows. A name that is not understood
// grants nothing.
package btcp
