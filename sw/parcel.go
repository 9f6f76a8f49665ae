package sw

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// Packing says which contents the worker keeps in memory, each by the place in
// [State.Files] of the first file that has it, in that order: those that the worker
// has already, with the revision that it has, and those that are sent to it. What
// it has in memory beside them it forgets.
type Packing struct {
	Kept []int `json:"kept"`
	Sent []int `json:"sent"`
}

// Parcel returns an answer to the worker: a state with the contents that the worker
// lacks, so that it takes both in one step or neither. Its bytes are in parts, and
// no content is copied: a 4-byte little-endian length and that many bytes of JSON,
// the [State]; the same for the [Packing]; and the contents that Sent names one
// after the other, each as long as its file, and nothing after them.
func Parcel(state []byte, packing Packing, contents [][]byte) ([][]byte, error) {
	// A null would be no list for the worker.
	packing.Kept, packing.Sent = append([]int{}, packing.Kept...), append([]int{}, packing.Sent...)
	index, err := json.Marshal(packing)
	if err != nil {
		return nil, fmt.Errorf("writing which contents come with a state: %w", err)
	}
	return append([][]byte{length(state), state, length(index), index}, contents...), nil
}

func length(part []byte) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(len(part))) }
