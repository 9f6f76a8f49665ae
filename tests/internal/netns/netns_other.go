//go:build !linux

package netns

import (
	"errors"
	"testing"
)

// Isolated returns why there is no network of the tests' own.
func Isolated() error { return errors.New("network namespaces exist on Linux only") }

// Run runs the tests where they are.
func Run(m *testing.M) int { return m.Run() }
