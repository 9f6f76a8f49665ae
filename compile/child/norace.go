//go:build !race

package child

const underRace = false
