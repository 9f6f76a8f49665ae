// Package btcp speaks BTCP, the Browser Tool Calling Protocol, in which an agent has a
// browser run tools.
//
// [ParseCapabilities] reads what a tool is granted, and [Grant.Network] makes of it what
// the browser is told:
//
//	grant, err := btcp.ParseCapabilities([]string{"network:fetch:https://api.example.com"})
//	network := grant.Network(policy) // the rules of the policy that the grant opens
//
// [Call] and [Reply] are the protocol's messages. [Call.Check] says what of a call is
// wrong before anything of it runs.
//
// A capability never opens more than the policy allows. What is not understood is not
// granted.
package btcp
