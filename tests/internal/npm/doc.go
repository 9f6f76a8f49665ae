// Package npm keeps the few npm packages that the tests need: one table of
// pinned tarballs, one folder in the user's cache where they lie unpacked.
//
// [Install] brings one package there and [Dir] says where it lies. Nothing
// else in the tests knows about npm, and the product needs none of it.
//
// The rules it keeps:
//
//   - The table (table.go) is the only place with names, versions and
//     integrity values. A tarball whose SHA-512 differs is never unpacked.
//   - The machine's own npm downloads, so its configuration decides from
//     where; nothing here names a registry, and no install script is run.
//   - Unpacking is done here, and refuses whatever a package has no need of:
//     absolute paths, "..", links, devices.
//   - A package appears by the rename of a finished folder, so that it is
//     either whole or absent, also when two runs install it at once.
package npm
