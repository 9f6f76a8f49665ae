// Package program is the form of a policy that decides requests: tables of literals and parts.
// Go and the service worker read them in place.
//
// # A guided tour
//
// [Build] compiles a policy, and [Program.Decide] judges a request. [Open] reads the bytes
// that [Program.Bytes] wrote.
//
//   - format.go, program.go: the constants of the format, and how a program is opened.
//   - build.go, bucket.go, encode.go, assemble.go: how a program is written, with its index.
//   - cost.go: rejects policies that would make decisions slow.
//   - decide.go, search.go, hash.go, match.go: how a program is read.
//
// sw/src takes the same steps in TypeScript. Its constants and lists of words are in
// sw/src/program.gen.ts, which a test of this package writes.
//
// # Invariants
//
//   - A nil and a zero [Program] block everything.
//   - The worker gets no patterns. Go decides with the same bytes as the worker.
//   - The index makes a decision's time independent of the number of rules. The page chooses
//     the URL, and no URL may make matching slow.
//
// # The format
//
// Numbers are unsigned and little-endian. After a header of 32-bit words come tables of 32-bit
// words, one after the other without a gap. Last comes a pool of bytes that the tables refer
// to. Offset 0 of the pool means "nothing".
//
//	header   magic, version, length of all in bytes, checksum, flags, base,
//	         then the counts: filter, slots, keys, targets, rules, extras, layers,
//	         pool
//	filter   a bit for each key's hash; where there is none, no slot need be read
//	slots    hash table of keys, open addressing, a power of two:
//	         0, or a 12-bit tag of the hash and 20 bits of the key's number + 1
//	keys     pool offset of the text, first target; length of the text 13, depth 7,
//	         count of exact targets 12. The targets below follow the exact ones, up
//	         to the next key's first. The last key is none and ends the others.
//	targets  rule 20, scheme 2, action 1, labels 1, methods 8; port 16, types 16;
//	         pool offset of the patterns
//	rules    pool offset of the id; line 24, layer 8; number of the extra + 1
//	extras   pool offset of the reason; first exception (a target), count
//	layers   pool offset of the file's name
//
// A number after a name is its width in bits, from the lowest bit.
//
// # The index
//
// A key is the literal end of a host. The key "example.com" has an exact target for
// example.com, and targets below it for *.example.com and api-*.example.com. One walk over a
// host tries all of its ends.
//
// A key with many targets is split by path. Its text continues with the literal directory of a
// pattern, "example.com/v1/", or with a whole literal path. The field depth says how many
// directories deep; 0 means that the key is not split. So the time of a decision does not
// depend on the number of rules.
//
// # Patterns in the pool
//
// If the target has labels, the pattern begins with their number, and with 1 if a host may
// have more labels before them. Then comes each label as a part, from last to first.
//
// Then comes the path: [pathAny], [pathExact] or [pathPrefix] with a text, or [pathSegments].
// A [pathSegments] has three 16-bit numbers: the number of segments, the number of those after
// the last "**", and how many bytes further these begin. After them comes each segment, as a
// part or as [segmentAny].
//
// A part is [partLiteral] and a text, or [partStar] and two texts. A text has a 16-bit length
// before it.
package program
