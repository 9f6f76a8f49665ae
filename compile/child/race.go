//go:build race

package child

// underRace says that the race detector is built in, which reserves more memory than the limit.
const underRace = true
