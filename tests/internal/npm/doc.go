// Package npm keeps the npm packages that the tests need: pinned tarballs, and
// one folder in the user's cache where they lie unpacked.
//
// [Install] brings packages there, and [Dir] and [Package.Dir] say where one lies.
// Nothing else in the tests knows about npm, and the product needs none of it.
//
// The rules it keeps:
//
//   - Each package is pinned by version and integrity: in table.go what the tests
//     work with, in tests/internal/apps the applications that run in a sandbox. A
//     tarball whose SHA-512 differs is never unpacked.
//   - The machine's own npm downloads, so its configuration decides from
//     where; nothing here names a registry, and no install script is run.
//   - Unpacking is done here, and refuses whatever a package has no need of:
//     absolute paths, "..", links, devices.
//   - A package appears by the rename of a finished folder, so that it is
//     either whole or absent, also when two runs install it at once.
package npm
