package vfs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Hash is a SHA-256 digest of one content or of a whole tree.
type Hash [sha256.Size]byte

// String returns the 64 lower-case hexadecimal digits of h.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash parses the form that [Hash.String] returns. It rejects every other
// spelling, upper case included, so that hashes can be compared as text.
func ParseHash(s string) (Hash, error) {
	var h Hash
	if len(s) != hex.EncodedLen(len(h)) {
		return Hash{}, fmt.Errorf("a hash has %d hexadecimal digits, this text has %d bytes", hex.EncodedLen(len(h)), len(s))
	}
	if _, err := hex.Decode(h[:], []byte(s)); err != nil || h.String() != s {
		return Hash{}, fmt.Errorf("a hash is written in lower-case hexadecimal digits only, not %q", s)
	}
	return h, nil
}

// MarshalText implements [encoding.TextMarshaler] as [Hash.String]. It never
// fails.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler] as [ParseHash].
func (h *Hash) UnmarshalText(text []byte) error {
	parsed, err := ParseHash(string(text))
	if err != nil {
		return err
	}
	*h = parsed
	return nil
}
