// Package api is the HTTP API. It answers requests with the public methods of package sandbox,
// and with what a [Config] has of the server around it. It knows no web framework.
//
// A server needs three things. [New] makes an API. [API.Operations] is the table from which the
// server makes its routes: it checks a request with [Operation.Check], and answers it with
// Operation.Handle. [RefusalOf] and [NewProblem] turn an error into what the client gets
// (RFC 9457). The server itself checks tokens and origins, and limits callers.
//
//   - operations.go: the table, and what it checks.
//   - sandboxes.go, files.go, policy.go, execute.go: the handlers.
//   - types.go, log.go: the bodies.
//   - requests.go, events.go: bodies, queries, and headers as arguments of package sandbox.
//   - body.go, answer.go: JSON, read strictly and within limits; answers.
//   - keys.go: Idempotency-Keys.
//   - problem.go, refusal.go: errors.
//   - document.go: the OpenAPI document.
package api
