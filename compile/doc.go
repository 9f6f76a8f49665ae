// Package compile turns the files of a sandbox into what a browser runs.
//
// A program makes one [Compiler] with [New], and calls [Compiler.Compile] with each state of a
// sandbox's files. TypeScript and JSX become JavaScript with source maps. An import may leave out
// an extension or name a folder, as bundlers allow. A JSON file, a style sheet, a CSS module, or
// any other file can be imported, and gets a module for that.
//
// # What is served
//
// A file keeps its path and its content. What it is as a script is another file of the result,
// at [ScriptPath]: a server answers a request for a script from there, and any other
// request with the file itself. So a page that fetches /main.tsx gets the source, and a page that
// imports it gets JavaScript.
//
// The browser learns of a module only from its importers. So each page has a header with the modules
// that its scripts import ([Result.Links]).
//
// # Errors
//
// An error in a source is data ([Result.Diagnostics]). The rest is compiled all the same, and the
// module of the faulty file throws the error.
//
// # Time and trust
//
// The compiler keeps its results by content for all sandboxes. Sources are untrusted, and esbuild
// has no limit for the time and memory that one of them takes. So a program gives [New] a
// [Transformer] that runs in processes of its own, which package child has:
//
//	transformer := child.New()
//	defer transformer.Close()
//	compiler := compile.New(transformer)
//
// A source that needs more than 10 s or 1 GiB there gets a diagnostic. It is tried again when it
// changes, or after 10 minutes. [InProcess] is for trusted sources.
package compile
