// Package mcp proves that Bellglass is a sandbox proxy for hosts of MCP Apps, real ones
// included, and runs the tools of BTCP clients. The lines that the documents show run here.
//
// Where to look: apps_test.go has the host that most tests use, host_test.go the hosts of
// others, btcp_test.go and btcphost_test.go the tools.
package mcp

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
