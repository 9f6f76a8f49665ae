// Package apps is the table of real applications that run in a sandbox.
//
// [All] returns the rows and [App.Contents] the files of one, made from its npm
// packages and from its page in pages/. A row says which packages it needs, which
// words its policy has, what a person does with it, what must be seen, and which
// attempts must be blocked. The words are the fewest with which the application
// works, so a row also documents what a policy for it needs.
//
// To add an application, write its page and a row, and run go run ./tests/install.
package apps
