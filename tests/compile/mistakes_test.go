package compile

import "strings"

// A mistake is some files of which one has an error. In its text, « stands before the place that
// a person should look at. It is no part of the file.
type mistake struct {
	name  string
	main  string            // name of the module that the page imports
	files map[string]string // by path below the mistake's folder
	says  string            // the beginning of the text
}

func alone(name, main, text, says string) mistake {
	return mistake{name, main, map[string]string{main: text}, says}
}

const gone = "The sandbox has no file "

var mistakes = []mistake{
	// Syntax.
	alone("no expression", "main.ts", "const x = «;", "Unexpected \";\""),
	alone("a number before a name", "main.ts", "// fine\nlet 1«x", "Syntax error \"x\""),
	alone("an open block", "main.ts", "function f() {\n  return 1\n«", "Unexpected end of file"),
	alone("an open call", "main.ts", "console.log(1\n«", "Expected \")\""),
	alone("an open string", "main.ts", "const s = 'abc«\nconst t = 1", "Unterminated string literal"),
	alone("an open template", "main.ts", "const s = `abc«", "Unterminated string literal"),
	alone("an open expression", "main.ts", "const r = /abc«\n1", "Unterminated regular expression"),
	alone("a name twice", "main.ts", "const a = 1\nconst «a = 2", "The symbol \"a\" has already been declared"),
	alone("await in a function", "main.ts", "export function f() { «await 1 }", "\"await\" can only be used inside an \"async\" function"),
	alone("return outside of a function", "main.ts", "export {}\n«return 1", ""),
	alone("break outside of a loop", "main.ts", "«break", "Cannot use \"break\" here"),
	alone("a constant without a value", "main.ts", "const «x", "The constant \"x\" must be initialized"),
	alone("an assignment to a number", "main.ts", "«1 = 2", ""),
	alone("with", "main.ts", "«with (document) {}", ""),
	alone("delete of a name", "main.ts", "const x = 1\ndelete «x", ""),
	alone("two constructors", "main.ts", "class A { constructor() {} «constructor() {} }", ""),
	alone("super outside of a class", "main.ts", "«super()", ""),
	alone("an import in a block", "main.ts", "if (true) { import «a from './b' }", ""),
	alone("an export twice", "main.ts", "export const a = 1\nexport { a as b, a as «b }", ""),
	alone("an undeclared private name", "main.ts", "class A { m() { return this.«#x } }", ""),
	alone("a label that is not there", "main.ts", "for (;;) { break «gone }", ""),
	alone("a parameter after the rest", "main.ts", "function f(...a«, b) {}", ""),
	alone("a getter with a parameter", "main.ts", "const o = { get a(«b) { return b } }", ""),
	alone("an enum without a value", "main.ts", "enum E { A = «}", ""),
	alone("a type without an end", "main.ts", "type T =«", ""),
	alone("an open interface", "main.ts", "interface A {\n  b: string\n«", ""),
	alone("a decorator of a constant", "main.ts", "«@d\nconst a = 1", ""),
	alone("columns after an emoji", "main.ts", "const s = '😀é'; const x = «;", ""),
	alone("a second error", "main.ts", "const x = «;\nconst y = ;", ""),
	alone("a line that ends in a return", "main.ts", "const a = 1\r\nconst b = «;\r\n", ""),

	// JSX.
	alone("an open element", "main.tsx", "export default <p>«", ""),
	alone("another element is closed", "main.tsx", "export default <p></«b>", ""),
	alone("two elements", "main.tsx", "export default <p/> <b/«>", ""),
	alone("an attribute without a value", "main.tsx", "export default <p a={«}/>", ""),
	alone("a number as an attribute", "main.tsx", "export default <p a=«1/>", ""),
	alone("a bracket in text", "main.tsx", "export default <p>a «> b</p>", ""),
	alone("a brace in text", "main.tsx", "export default <p>a «} b</p>", ""),
	alone("a type parameter", "main.tsx", "const f = <T>(x: T) =«> x\nexport default f", ""),
	alone("JSX in a .ts", "main.ts", "export default <p>a</p>«", "The file has JSX in it"),

	// Imports.
	alone("a missing file", "main.ts", "import «'./b'", gone),
	alone("a missing file of import()", "main.ts", "await import(«'./b')", gone),
	alone("a missing file of an export", "main.ts", "export * from «'./gone'", gone),
	alone("an unknown package", "main.ts", "import x from «'left-pad'\nx", "\"left-pad\": the application does not depend on left-pad"),
	alone("a misspelled package", "main.tsx", "import x from «'react-domm'\nx", "\"react-domm\": the application does not depend on react-domm"),
	alone("a version in an import", "main.ts", "import x from «'react@18'\nx", ""),
	alone("a module of Node.js", "main.ts", "import fs from «'fs'\nfs", "\"fs\" is a module of Node.js"),
	alone("a module of Node.js by its scheme", "main.ts", "import fs from «'node:fs'\nfs", "\"node:fs\" is a module of Node.js"),
	alone("an unknown part of a package", "main.ts", "import x from «'react/nothing'\nx", "react@19.3.1 has no react/nothing"),
	alone("a missing style sheet", "main.ts", "import «'./gone.css'", gone),
	alone("a missing picture", "main.ts", "import u from «'./gone.png'\nu", gone),
	{"a missing export", "main.ts", map[string]string{"main.ts": "import { «y } from './b'\ny", "b.ts": "export const x = 1"}, ""},
	{"a missing default", "main.ts", map[string]string{"main.ts": "import «y from './b'\ny", "b.ts": "export const x = 1"}, ""},
	{"a missing export in a cycle", "main.ts", map[string]string{"main.ts": "import { b } from './b'\nexport const a = () => b", "b.ts": "import { a, «c } from './main'\nexport const b = () => [a, c]"}, ""},
	{"another case", "main.ts", map[string]string{"main.ts": "import «'./Button'", "button.ts": ""}, gone},
	{"a path that leads nowhere", "main.ts", map[string]string{"main.ts": "import «'@/gone'", "tsconfig.json": `{"compilerOptions":{"baseUrl":".","paths":{"@/*":["./*"]}}}`}, ""},
	{"a mistake in what is imported", "main.ts", map[string]string{"main.ts": "import { y } from './b'\ny", "b.ts": "export const y = «;"}, ""},

	// Other files.
	{"a comma in JSON", "main.ts", map[string]string{"main.ts": "import d from './d.json'\nd", "d.json": "{\n  \"a\": 1«,\n}"}, ""},
	{"a comment in JSON", "main.ts", map[string]string{"main.ts": "import d from './d.json'\nd", "d.json": "{ «// no\n}"}, ""},
	{"no JSON", "main.ts", map[string]string{"main.ts": "import d from './d.json'\nd", "d.json": "«"}, ""},
	{"a style sheet of a CSS module", "main.ts", map[string]string{"main.ts": "import d from './d.module.css'\nd", "d.module.css": "@import «'./e.css';"}, ""},
	{"a comma in tsconfig.json", "main.ts", map[string]string{"main.ts": "1", "tsconfig.json": "{\n  \"compilerOptions\": {«,}\n}"}, ""},
	{"options that are a number", "main.ts", map[string]string{"main.ts": "1", "tsconfig.json": "{\"compilerOptions\": 1«}"}, ""},
	{"a missing base of tsconfig.json", "main.ts", map[string]string{"main.ts": "1", "tsconfig.json": "{\"extends\": «\"./gone.json\"}"}, ""},
	{"a huge file", "main.ts", map[string]string{"main.ts": "«" + strings.Repeat("a()\n", 1<<18+1)}, "The file has 1048580 bytes"},
}
