package sw

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// PreloadIndex says which contents the worker keeps in memory. Each number is an index into
// [State.Files], of the first file that has the content. Kept lists contents that the worker
// already has from the revision that it named. Sent lists those that the response contains, in
// that order. The worker forgets all other contents.
type PreloadIndex struct {
	Kept []int `json:"kept"`
	Sent []int `json:"sent"`
}

// StateResponse returns the answer to a request for the state: the state with the contents that
// the worker lacks, so that the worker takes both in one step or neither. The answer is a list
// of byte slices, to be sent in order; no content is copied. First comes a 4-byte little-endian
// length and that many bytes of JSON, the [State]. The [PreloadIndex] follows in the same form.
// Then come the contents that Sent names, one after the other, each as long as its file. Nothing
// follows them.
func StateResponse(state []byte, index PreloadIndex, contents [][]byte) ([][]byte, error) {
	// The worker accepts only arrays, and a nil slice would become null.
	index.Kept, index.Sent = append([]int{}, index.Kept...), append([]int{}, index.Sent...)
	list, err := json.Marshal(index)
	if err != nil {
		return nil, fmt.Errorf("writing which contents come with a state: %w", err)
	}
	return append([][]byte{length(state), state, length(list), list}, contents...), nil
}

func length(part []byte) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(len(part))) }
