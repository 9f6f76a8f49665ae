// Package api is the language of the HTTP API: what requests and answers contain. It reads and
// writes them with the public methods of package sandbox alone. Package server has the API's
// routes, and its limits on callers.
//
// Three functions show the whole. [Decode] reads a JSON body into one of the types in types.go.
// [RefusalOf] turns an error of the packages below into a [Refusal], which has one of the
// [Codes]. [NewProblem] makes of it what the client gets (RFC 9457).
//
//   - types.go, log.go: the bodies.
//   - requests.go, events.go: bodies, queries, and headers as arguments of package sandbox.
//   - body.go: JSON, read strictly and within limits.
//   - keys.go: Idempotency-Keys.
//   - problem.go, refusal.go: errors.
//   - document.go: the OpenAPI document.
package api
