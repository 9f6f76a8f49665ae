// Package child transforms sources and bundles packages in child processes.
//
// [New] returns a [Pool], which is a transformer for compile.New. A hostile source ends or
// occupies a child process, and never the program. Nothing else is needed: the children are the
// program itself, started again, and an init function of this package recognizes them before main
// begins. Initializers of packages that Go orders before this one run in the children, too.
//
// # Why not in the same process
//
// Go cannot recover from an exhausted stack or from exhausted memory, and nothing can stop a
// transform that runs. Measured on one core of 2 GHz, with esbuild 0.28:
//
//	source                                    time        memory
//	20 KB of {{{…}}}                          3.4 s       925 MB, and 200 MB of output
//	20 KB of function f(){function f(){…      over 10 s   —
//	20 KB of class f{static{class f{…         over 10 s   —
//	20 KB of a=>a=>a=>…                       over 10 s   —
//	20 KB of namespace a{namespace a{…        over 10 s   —
//	1 MiB of let ä;let ä;… (errors)           over 600 s  —
//	256 KB of ((((…))))                       1.3 s       805 MB
//	256 KB of a=>a=>a=>… or !!!!…             the process ends: 1 GB of stack
//	256 KB of ordinary components             0.2 s       29 MB
//	1 MiB of ordinary components              0.7 s       76 MB
//
// So no limit of size or nesting that permits ordinary sources makes the same process safe. A
// pool whose child does not start fails with the reason, and transforms nothing.
//
// # Lanes
//
// A pool has up to three children for sources. All requests run beside each other in the first
// one, with a deadline of 2 s. If one misses the deadline, or the child ends, the child is killed.
// Each request that was running is then tried again alone, with a deadline of 10 s: those that
// missed the deadline in one child, and their neighbors in another one. So neighbors do not wait
// for the source that disturbed them. A request that fails alone fails with a
// [*transform.LimitError]. Time in a queue does not count.
//
// Bundles have separate children and a deadline of 1 minute, because the largest packages take
// seconds and sources must not wait for them. If such a child ends, the pool retries each of its
// bundles alone. When the context of a bundle is done, the pool also ends the child.
//
// A child starts when there is something to do, and ends after a minute without work.
//
// # What a child may do
//
// A child gets no environment, no open file but its three pipes, and "/" as its folder, on Unix.
// It ends when its standard input closes, and so with the program. It ends itself when it uses
// more than [MaxMemory], or 256 MiB for one stack. How the system holds it:
//
//   - Linux: RLIMIT_DATA of twice [MaxMemory] also stops a single huge allocation. The child runs
//     at nice 10, and the kernel ends it before other processes when memory runs out.
//   - Other Unix systems: it runs at nice 10. macOS does not enforce limits of memory.
//   - Windows: it runs below the normal priority.
//
// A child is not a sandbox: the transforms are Go code that runs no source, and reads no file. The
// request for a bundle contains the tarball of the package.
package child
