package sw_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"testing"
	"testing/fstest"
	"time"

	hostpage "github.com/bellglass/bellglass/host-page"
	outerframe "github.com/bellglass/bellglass/outer-frame"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sw"
)

// runNode bundles the product's TypeScript with one more entry, runs it in Node, and reads
// what it prints. In the entry, input is the given value, and print takes the answer. The
// product runs in a browser. Node has the same language and the same URL parser, and starts in
// a moment.
func runNode(t *testing.T, entry string, input, output any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("this test runs the product's TypeScript in Node (version 20 or newer), which is not there: %v", err)
	}
	const name = "test/run.ts"
	bundle, err := sw.Bundle(sw.Sources{
		"sw": sw.TypeScript, "protocol": protocol.TypeScript, "outer-frame": outerframe.TypeScript, "host-page": hostpage.TypeScript, "test": fstest.MapFS{"run.ts": {Data: []byte("declare const input: any, print: (answer: unknown) => void\n" + entry)}},
	}, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	value, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	var script bytes.Buffer
	// The script uses JSON.parse, because "__proto__" in an object literal would set the
	// prototype.
	quoted, err := json.Marshal(string(value))
	if err != nil {
		t.Fatal(err)
	}
	script.WriteString("const print = (answer) => process.stdout.write(JSON.stringify(answer));\nconst input = JSON.parse(")
	script.Write(quoted)
	script.WriteString(");\n")
	script.Write(bundle.JS)

	// No test is that slow. The deadline ends a test that hangs.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "-")
	var out, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &script, &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("node: %v\n%.4000s", err, stderr.String())
	}
	if err := json.Unmarshal(out.Bytes(), output); err != nil {
		t.Fatalf("node printed %.200q: %v\n%.4000s", out.String(), err, stderr.String())
	}
}
