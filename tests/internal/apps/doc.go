// Package apps is the table of real applications that run in a sandbox.
//
// [All] returns the rows. [App.Contents] returns the files of one, made from its npm
// packages and its page in pages/. A row says which packages and policy words the
// application needs, what a user does with it, what must be seen, and which attempts
// must be blocked. The words are the fewest with which the application works, so a row
// also documents the policy that it needs.
//
// To add an application, write its page and a row, and run go run ./tests/install.
package apps
