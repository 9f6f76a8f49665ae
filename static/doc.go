// Package static decides how a good static file server answers for a sandbox's files.
// It is the Go twin of sw/src/virtual.ts, for browsers that refuse the service worker.
// One table of tests checks both (tests/files/files_test.go).
package static
