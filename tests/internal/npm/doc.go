// Package npm keeps the npm packages that the tests need: pinned tarballs, and one
// folder in the user's cache where they are unpacked.
//
// [Install] installs a package there, and [Dir] and [Package.Dir] return its folder.
// Nothing else in the tests knows about npm, and the product does not need it.
//
// Its rules:
//
//   - Each package is pinned by version and integrity: in table.go the tools of the
//     tests, in tests/internal/apps the applications that run in a sandbox. A tarball
//     with another SHA-512 is never unpacked.
//   - The machine's own npm downloads, so its configuration decides from where. Nothing
//     here names a registry, and no install script runs.
//   - The tarball is unpacked here, which rejects what no package needs: absolute
//     paths, "..", links, devices.
//   - A package appears by renaming a finished folder, so it is either complete or
//     absent, even if two runs install it at once.
package npm
