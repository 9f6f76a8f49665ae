package program

// Version is the number of the program's format. A reader that knows
// another number blocks everything.
const Version = 2

// magic is "BLGP".
const magic = 0x50474c42

// The words of the header. The last eight are counts: the entries of each table, and the bytes
// of the pool.
const (
	wordMagic = iota
	wordVersion
	wordLength
	wordChecksum
	wordFlags
	wordBase
	wordFilter
	wordSlots
	wordKeys
	wordTargets
	wordRules
	wordExtras
	wordLayers
	wordPool
	headerWords
)

// The checksum is FNV-1a by words.
const (
	checksumStart = 0x811c9dc5
	checksumPrime = 0x01000193
)

// The flags.
const (
	flagAudit    = 1
	ceilingShift = 8 // one bit for each layer, from this bit on
)

// The words of an entry of each table.
const (
	wordsPerKey    = 3
	wordsPerTarget = 3
	wordsPerRule   = 3
	wordsPerExtra  = 3
)

// A slot has the number of a key, and above it a tag. The number of a rule has as many bits.
const (
	tagBits    = 12
	numberBits = 20
	maxNumber  = 1<<numberBits - 2
)

// The third word of a key: the length of its text, how deep it is split, and a count.
const (
	lengthBits = 13
	depthBits  = 7
)

// The first word of a target, above the number of its rule. The second word, above its port.
const (
	schemeShift  = numberBits
	schemeMask   = 3
	allowFlag    = 1 << 22
	labelsFlag   = 1 << 23
	methodsShift = 24

	typesShift = 16
)

// layerShift is the first bit of the layer in the second word of a rule, above the line.
const layerShift = 24

// The byte before a pattern's path in the pool.
const (
	pathAny = iota
	pathExact
	pathPrefix
	pathSegments
)

// The byte before a part in the pool, or in place of a segment.
const (
	partLiteral = iota
	partStar
	segmentAny
)
