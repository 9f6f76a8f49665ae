package prebundle

import "fmt"

// builtinStub is a module in place of one of Node.js. It can be imported, since many packages
// do that for the case that they run in Node.js, and throws as soon as it is used.
func builtinStub(specifier, importer string) string {
	return fmt.Sprintf(`module.exports = Object.create(new Proxy({}, {
  get(_, key) {
    if (key !== '__esModule' && key !== '__proto__' && key !== 'constructor' && key !== 'splice' && typeof key === 'string')
      throw new Error(%q + key + %q)
  }
}))
`, fmt.Sprintf("%s uses the module %s of Node.js, which browsers lack (", importer, specifier), ")")
}

// missingStub is a module in place of a package that is not there. It throws when it is
// evaluated, as in Node.js, so that a package can catch it.
func missingStub(specifier, importer string) string {
	return fmt.Sprintf(`throw Object.assign(new Error(%q), { code: 'MODULE_NOT_FOUND' })
module.exports = {}
`, fmt.Sprintf("Cannot find the package of %q, which %s imports. Add it to the dependencies", specifier, importer))
}

// styleStub is a module in place of a style sheet that JavaScript imports: it links the
// sheet. A page's policy allows its own files more often than inline styles.
func styleStub(address string) string {
	return fmt.Sprintf(`if (typeof document !== 'undefined') {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = %q
  document.head.append(link)
}
export default {}
`, address)
}

// bridge is an ES module that has the module.exports of another package, which only an import
// statement can reach. A package of ES modules has none: it becomes an object with all of
// its exports.
func bridge(address string) string {
	return fmt.Sprintf(`import * as all from %q
function view() {
  const exports = Object.defineProperty({}, '__esModule', { value: true })
  for (const name of Reflect.ownKeys(all))
    if (typeof name === 'string') Object.defineProperty(exports, name, { enumerable: true, get: () => all[name] })
  return exports
}
export const value = Reflect.has(all, %q) ? Reflect.get(all, %q) : view()
`, address, moduleExports, moduleExports)
}

// moduleExports is the name under which a bundle of CommonJS exports its module.exports. It
// is the name that Node.js has chosen for the same purpose.
const moduleExports = "module.exports"
