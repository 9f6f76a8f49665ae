// Package apiclient is a client of the HTTP API that a generator has made from
// its document alone, as anybody could make one. The tests use it to show that
// the document says all that a program needs.
package apiclient
