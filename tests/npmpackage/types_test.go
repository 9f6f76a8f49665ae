package npmpackage

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/npm"
)

// reacts are the versions of React with what each needs, and with its types.
var reacts = map[string][]string{
	"React 18": {"react@18.3.1", "react-dom@18.3.1", "scheduler@0.23.2", "@types/react@18.3.32", "@types/prop-types@15.7.15", "csstype@3.2.4"},
	"React 19": {"react@19.3.1", "react-dom@19.3.1", "scheduler@0.28.0", "@types/react@19.3.0", "csstype@3.2.4"},
}

// wrong are lines that must not compile. The compiler fails if one of them does.
const wrong = `import { Client } from 'bellglass/node'
import { Sandbox } from 'bellglass/react'

const client = new Client({ api: '/api/v1' })
// @ts-expect-error: a file has a text or base64
void client.createSandbox({ files: { '/index.html': '<h1>' } })
// @ts-expect-error: there is no such type of event
client.followEvents('a', { type: ['noise'] })
// @ts-expect-error: there is no such handler
export const handler = <Sandbox src="" onNoise={() => {}} />
// @ts-expect-error: the address is missing
export const nothing = <Sandbox />
export const whole = <Sandbox src="" title="Preview" style={{ height: 200 }} onClick={() => {}} onError={({ detail }) => console.log(detail.kind)} autosize token={undefined} />
`

// The package's types, and the documented code, pass a strict compiler, as bundlers and as
// Node.js resolve modules.
func TestTypes(t *testing.T) {
	t.Parallel()
	typescript, err := npm.Dir("typescript")
	must(t, err)
	for name, packages := range reacts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := newProject(t, map[string]string{
				"element.ts":   documented(t, "The element", "js"),
				"preview.tsx":  documented(t, "React", "tsx"),
				"program.ts":   documented(t, "Node.js", "js"),
				"wrong.tsx":    wrong,
				"globals.d.ts": "declare const process: { readonly env: Readonly<Record<string, string | undefined>> }\n",
			}, packages...)
			for _, resolution := range [][]string{{"--module", "esnext", "--moduleResolution", "bundler"}, {"--module", "nodenext", "--moduleResolution", "nodenext"}} {
				args := append([]string{filepath.Join(typescript, "lib", "tsc.js"), "--noEmit", "--pretty", "false", "--strict", "--exactOptionalPropertyTypes", "--jsx", "react-jsx", "--target", "es2022", "--lib", "esnext,dom,dom.iterable", "--types", "react"}, resolution...)
				cmd := exec.CommandContext(t.Context(), "node", append(args, "element.ts", "preview.tsx", "program.ts", "wrong.tsx", "globals.d.ts")...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", resolution[3], err, out)
				}
			}
		})
	}
}
