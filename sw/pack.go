package sw

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// Content is one file's content with its hash.
type Content struct {
	Hash  string
	Bytes []byte
}

// WritePack writes the contents as one pack: a 4-byte little-endian length,
// that many bytes of JSON [[hash, size], …], and the contents one after the
// other. The worker takes views into it and copies nothing.
func WritePack(w io.Writer, contents []Content) error {
	head := make([][2]any, 0, len(contents))
	for _, c := range contents {
		head = append(head, [2]any{c.Hash, len(c.Bytes)})
	}
	index, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("writing a pack's index: %w", err)
	}
	if _, err := w.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(index)))); err != nil {
		return err
	}
	if _, err := w.Write(index); err != nil {
		return err
	}
	for _, c := range contents {
		if _, err := w.Write(c.Bytes); err != nil {
			return err
		}
	}
	return nil
}
