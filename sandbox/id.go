package sandbox

import (
	"crypto/rand"
	"strings"
)

// IDLength is the number of characters of an id.
const IDLength = 26

// NewID returns an id for [Spec.ID]: 130 random bits in lower-case base32, which fits a
// DNS label.
func NewID() string { return strings.ToLower(rand.Text()) }

// maxExecutionID is the maximum number of characters of an execution's id.
const maxExecutionID = 64

// isExecutionID reports whether an execution can have the id s.
func isExecutionID(s string) bool {
	if s == "" || len(s) > maxExecutionID {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// IsID reports whether s has the form of an id.
func IsID(s string) bool {
	if len(s) != IDLength {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}
