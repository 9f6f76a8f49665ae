// Package packages lets code import packages of npm: it fetches them, and makes ES modules
// for browsers of them, without Node.js.
//
// A caller wants two functions. [Open] returns the packages of a folder as a [Set], from its
// node_modules or from the registry that its package.json and lock need. [Set.Bundle] bundles
// what sources import:
//
//	set, err := packages.Open(ctx, dir, packages.Options{})
//	err = set.Bundle(ctx, "react", "react-dom/client")
//	path, ok := set.Resolve("react") // "/node_modules/.bellglass/react@19.2.0/index.js"
//	files := set.Files()             // contents by virtual path
//
// [Add] is the command bellglass add: it writes package.json and the lock. [Load] takes
// dependencies without a folder.
//
// # What happens to a package
//
//  1. Package resolve chooses versions as npm does, or takes those of a lock.
//  2. Package npm fetches and verifies the tarballs, with the user's configuration of npm.
//  3. Package cache keeps them, and what is made of them, for all folders of this user.
//  4. Package prebundle makes ES modules of the subpaths that somebody imports. Package
//     commonjs finds the names that CommonJS exports.
//
// # Invariants
//
// No code of a package runs, neither its install scripts nor the package itself. A tarball
// without the integrity that the registry or the lock states is refused. Add and Load either
// succeed or change nothing but the cache. Open and Load never write to the folder.
//
// A package has one virtual folder for each version, and imports other packages by their
// virtual paths. So a page has one instance of a package.
package packages
