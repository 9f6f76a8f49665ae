//go:build !linux

package netns

import (
	"errors"
	"testing"
)

// Isolated returns why there is no separate network.
func Isolated() error { return errors.New("network namespaces exist on Linux only") }

// Run runs the tests in the usual network.
func Run(m *testing.M) int { return m.Run() }
