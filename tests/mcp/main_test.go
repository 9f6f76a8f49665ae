// Package mcp proves that Bellglass works as a sandbox proxy for hosts of MCP Apps, including
// real ones, and that it runs the tools of BTCP clients. The code in the documents runs here.
//
// Where to look: apps_test.go has the host that most tests use. host_test.go has third-party
// hosts, and btcp_test.go and btcphost_test.go have the tools.
package mcp

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
