package apps

import "github.com/bellglass/bellglass/tests/internal/npm"

// Compilers, interpreters, and databases, most of them WebAssembly.
var engines = []App{
	{
		Name: "pyodide",
		// The last of the 0.x versions: CPython 3.13 as WebAssembly, with its whole standard library.
		Packages: []npm.Package{{Name: "pyodide", Version: "0.29.5", Integrity: "sha512-TkYrUv9m8QmfImADKRmpwZulL48E0uUaBSO+dvRQKyAJc0qh9gu7jn8btyHPh3NZm1r2IH2YrJhIr7Q2B9urAw=="}},
		Load:     []string{"pyodide/pyodide.js"},
		Also:     []string{"pyodide/pyodide.asm.js", "pyodide/pyodide.asm.wasm", "pyodide/pyodide-lock.json", "pyodide/python_stdlib.zip"},
		Own:      map[string]string{"/foundry.py": "def tone(n):\n    return 'ding ' * n\n"},
		Scripts:  []string{"wasm"},
		See:      []Sight{{"#seen", `{"sum":45,"tone":"ding ding ding "}`}},
	},
	{
		Name:     "sql",
		Packages: []npm.Package{{Name: "sql.js", Version: "1.13.0", Integrity: "sha512-RJbVP1HRDlUUXahJ7VMTcu9Rm1Nzw+EBpoPr94vnbD4LwR715F3CcxE2G2k45PewcaZ57pjetYa+LoSJLAASgA=="}},
		Also:     []string{"sql.js/dist/worker.sql-wasm.js", "sql.js/dist/sql-wasm.wasm"},
		Scripts:  []string{"wasm"},
		See:      []Sight{{"#seen", `[["ben",14]]`}},
	},
	{
		Name:     "esbuild",
		Packages: []npm.Package{{Name: "esbuild-wasm", Version: "0.25.12", Integrity: "sha512-rZqkjL3Y6FwLpSHzLnaEy8Ps6veCNo1kZa9EOfJvmWtBq5dJH4iVjfmOO6Mlkv9B0tt9WFPFmb/VxlgJOnueNg=="}},
		Load:     []string{"esbuild-wasm/lib/browser.min.js"},
		Also:     []string{"esbuild-wasm/esbuild.wasm"},
		Scripts:  []string{"wasm", "blob"}, // its worker is a blob
		See:      []Sight{{"#seen", `React.createElement("b",null,"six")`}},
	},
	{
		Name: "babel",
		Packages: []npm.Package{
			{Name: "@babel/standalone", Version: "7.28.5", Integrity: "sha512-1DViPYJpRU50irpGMfLBQ9B4kyfQuL6X7SS7pwTeWeZX0mNkjzPi0XFqxCjSdddZXUQy4AhnQnnesA/ZHnvAdw=="},
			{Name: "react", Version: "18.3.1", Integrity: "sha512-wS+hAgJShR0KhEvPJArfuPVN1+Hz1t0Y6n5jLrGQbkb4urgPE/0Rve+1kMB1v/oWgHgm4WIcV+i7F2pTVj+2iQ=="},
			{Name: "react-dom", Version: "18.3.1", Integrity: "sha512-5m4nQKp+rZRb09LNH59GM4BxTh9251/ylbKIbpe7TpGxfJ+9kv6BLkLBXIjjspbgbnIBNqlI23tRnTWT0snUIw=="},
		},
		Load: []string{"react/umd/react.production.min.js", "react-dom/umd/react-dom.production.min.js", "@babel/standalone/babel.min.js"},
		Body: `<script type="text/babel" data-type="module">
ReactDOM.createRoot(document.getElementById('app')).render(<b>six bells</b>)
</script>` + "\n",
		Scripts: []string{"inline"}, // it writes its output into the page
		See:     []Sight{{"#app b", "six bells"}},
	},
	{
		Name:     "tone",
		Packages: []npm.Package{{Name: "tone", Version: "15.1.22", Integrity: "sha512-TCScAGD4sLsama5DjvTUXlLDXSqPealhL64nsdV1hhr6frPWve0DeSo63AKnSJwgfg55fhvxj0iPPRwPN5o0ag=="}},
		Load:     []string{"tone/build/Tone.js"},
		See:      []Sight{{"#seen", "heard"}},
		Blocked:  []string{"blob"}, // a worker for its clock, without which it uses a timer
	},
}
