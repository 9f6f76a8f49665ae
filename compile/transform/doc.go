// Package transform turns one source file into what a browser runs, with esbuild.
//
// [Scan] says what a source imports and exports, [Emit] compiles it, and [Style] compiles a CSS
// module. Each looks at one file alone: whoever calls them says what the file's imports lead to. So a
// result depends on nothing but the request, and can be kept by the request's hash.
//
// Sources are untrusted. A request larger than [MaxSource] is refused, and so is a result larger
// than [MaxOutput]. Both do not bound the time and memory that a transform takes: package child
// runs the functions in another process, and has the measurements.
package transform
