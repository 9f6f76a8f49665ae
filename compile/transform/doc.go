// Package transform turns one source file into what a browser runs, with esbuild.
//
// [Scan] says what a source imports and exports, and [Names] says where it imports names. [Emit]
// compiles it, and [Style] compiles a CSS module. Each function reads one file alone, and its caller
// says where the file's imports lead. So a result depends only on the request, and can be cached by
// the request's hash.
//
// Sources are untrusted. A request larger than [MaxSource] is refused, and so is a result larger
// than [MaxOutput]. Both do not bound the time and memory that a transform takes: package child
// runs the functions in another process, and has the measurements.
package transform
