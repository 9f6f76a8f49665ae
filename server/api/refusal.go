package api

import (
	"fmt"
	"net/http"
)

// A Refusal is an error that is shown to a client: a status, a stable code, and a text that
// says what happened and what to do. Package server refuses requests outside the API with it,
// too.
type Refusal struct {
	Status int
	Code   string
	// Text is one or more sentences.
	Text string
	// Pointer is the place in a JSON body (RFC 6901), or "".
	Pointer string
}

func (r *Refusal) Error() string { return r.Text }

// Refuse returns a [*Refusal].
func Refuse(status int, code, format string, args ...any) error {
	return &Refusal{Status: status, Code: code, Text: fmt.Sprintf(format, args...)}
}

// refuseField returns a [*Refusal] of a value in a JSON body. pointer is the place of the value
// (RFC 6901).
func refuseField(pointer, format string, args ...any) error {
	return &Refusal{Status: http.StatusUnprocessableEntity, Code: "bad-field", Text: fmt.Sprintf(format, args...), Pointer: pointer}
}

// UnknownSandbox refuses an id that no sandbox has.
func UnknownSandbox() error {
	return Refuse(http.StatusNotFound, "unknown-sandbox", "There is no sandbox with this ID. It was removed, or the server has restarted. IDs are never reused.")
}
