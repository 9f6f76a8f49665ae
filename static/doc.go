// Package static says what a good static server answers with a sandbox's files. It is the
// Go side of what the service worker does in sw/src/virtual.ts, for browsers that refuse
// the worker; one table of tests holds both to it (tests/files/files_test.go).
package static
