package sw_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sw"
)

// stateText is a state with files of these sizes, named a, b, and so on.
func stateText(sizes ...int) string {
	var files []string
	for i, size := range sizes {
		files = append(files, fmt.Sprintf(`{"path":"/%d","hash":"%c","size":%d,"type":"text/plain"}`, i, 'a'+rune(i), size))
	}
	return fmt.Sprintf(`{"protocol":%d,"revision":7,"files":[%s]}`, protocol.Version, strings.Join(files, ","))
}

// responseOf joins two texts, each after its length, and rest.
func responseOf(state, index, rest string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(state)))
	b = append(b, state...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(index)))
	return append(append(b, index...), rest...)
}

// A responseRead is what the worker reads from a response. Contents are in base64.
type responseRead struct {
	Error    string
	Revision int
	Kept     []string
	Sent     [][2]string
}

func readResponses(t *testing.T, responses [][]byte) []responseRead {
	t.Helper()
	var got []responseRead
	runNode(t, `import { readStateResponse } from '../sw/src/stateresponse'
declare const Buffer: any
print(input.map((base64: string) => {
	const bytes = Uint8Array.from(Buffer.from(base64, 'base64')).buffer
	try {
		const { state, kept, sent } = readStateResponse(bytes)
		return { Error: '', Revision: state.revision, Kept: kept, Sent: [...sent].map(([hash, content]) => [hash, Buffer.from(content).toString('base64')]) }
	} catch (error) {
		return { Error: String(error) }
	}
}))
`, responses, &got)
	if len(got) != len(responses) {
		t.Fatalf("%d answers to %d responses", len(got), len(responses))
	}
	return got
}

// The worker reads what Go writes, byte for byte.
func TestStateResponseIsRead(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	var sizes, indexes []int
	var many [][]byte
	for i := range 500 {
		sizes, indexes, many = append(sizes, i%7), append(indexes, i), append(many, bytes.Repeat([]byte{byte(i)}, i%7))
	}
	rows := []struct {
		name     string
		state    string
		index    sw.PreloadIndex
		contents [][]byte
	}{
		{"no file", stateText(), sw.PreloadIndex{}, nil},
		{"nothing preloaded", stateText(5), sw.PreloadIndex{}, nil},
		{"one", stateText(7), sw.PreloadIndex{Sent: []int{0}}, [][]byte{[]byte("content")}},
		{"kept alone", stateText(7, 1), sw.PreloadIndex{Kept: []int{0, 1}}, nil},
		{"some of each", stateText(1, 2, 3, 4), sw.PreloadIndex{Kept: []int{0, 2}, Sent: []int{1, 3}}, [][]byte{[]byte("bb"), []byte("dddd")}},
		{"empty files", stateText(0, 1, 0), sw.PreloadIndex{Sent: []int{0, 1, 2}}, [][]byte{{}, []byte("x"), {}}},
		{"every byte", stateText(256, 256), sw.PreloadIndex{Sent: []int{0, 1}}, [][]byte{every, every}},
		{"a content like a response", stateText(6), sw.PreloadIndex{Sent: []int{0}}, [][]byte{[]byte("\x02\x00\x00\x00{}")}},
		{"letters of more than a byte", strings.Replace(stateText(1), "/0", "/ü🔔", 1), sw.PreloadIndex{Sent: []int{0}}, [][]byte{[]byte("x")}},
		{"many", stateText(sizes...), sw.PreloadIndex{Sent: indexes}, many},
	}
	var responses [][]byte
	for _, row := range rows {
		parts, err := sw.StateResponse([]byte(row.state), row.index, row.contents)
		if err != nil {
			t.Fatal(err)
		}
		responses = append(responses, bytes.Join(parts, nil))
	}
	hash := func(index int) string { return string('a' + rune(index)) }
	for i, got := range readResponses(t, responses) {
		row := rows[i]
		want := responseRead{Revision: 7, Kept: []string{}, Sent: [][2]string{}}
		for _, index := range row.index.Kept {
			want.Kept = append(want.Kept, hash(index))
		}
		for n, index := range row.index.Sent {
			want.Sent = append(want.Sent, [2]string{hash(index), base64.StdEncoding.EncodeToString(row.contents[n])})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-written +read):\n%s", row.name, diff)
		}
	}
}

// The worker rejects a whole answer unless it is a response to the last byte.
func TestDamagedStateResponsesAreRejected(t *testing.T) {
	state, index := stateText(3, 4, 5), `{"kept":[1],"sent":[0,2]}`
	whole := responseOf(state, index, "aaaccccc")
	rows := map[string][]byte{
		"a byte more":     append(bytes.Clone(whole), 'x'),
		"two responses":   append(bytes.Clone(whole), whole...),
		"a page":          []byte("<!doctype html><title>Not found</title>"),
		"the state alone": []byte(state),
		"zeros":           make([]byte, 100),
	}
	for length := range whole {
		rows[fmt.Sprintf("the first %d bytes", length)] = whole[:length]
	}
	for _, length := range []uint32{0, 1, uint32(len(state)) - 1, uint32(len(state)) + 1, uint32(len(whole)), 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		rows[fmt.Sprintf("a state of %d bytes", length)] = append(binary.LittleEndian.AppendUint32(nil, length), whole[4:]...)
	}
	at := 4 + len(state)
	for _, length := range []uint32{0, 1, uint32(len(index)) - 1, uint32(len(index)) + 1, uint32(len(whole)), 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		rows[fmt.Sprintf("an index of %d bytes", length)] = append(binary.LittleEndian.AppendUint32(bytes.Clone(whole[:at]), length), whole[at+4:]...)
	}
	for name, other := range map[string]string{
		"null": `null`, "no object": `7`, "no JSON": `{"protocol":1`, "nothing": ``, "no UTF-8": strings.Replace(state, "/0", "/\xff", 1),
		"another protocol": strings.Replace(state, `"protocol":`, `"protocol":9`, 1), "a protocol in a text": strings.Replace(state, `"protocol":1`, `"protocol":"1"`, 1),
		"no protocol": strings.Replace(state, `"protocol"`, `"p"`, 1), "no revision": strings.Replace(state, `"revision"`, `"r"`, 1),
		"revision 0": strings.Replace(state, `"revision":7`, `"revision":0`, 1), "revision -1": strings.Replace(state, `"revision":7`, `"revision":-1`, 1),
		"half a revision": strings.Replace(state, `"revision":7`, `"revision":7.5`, 1), "a revision in a text": strings.Replace(state, `"revision":7`, `"revision":"7"`, 1),
		"a revision that no number holds": strings.Replace(state, `"revision":7`, `"revision":9007199254740993`, 1),
		"no files":                        strings.Replace(state, `"files"`, `"f"`, 1), "files that are none": fmt.Sprintf(`{"protocol":%d,"revision":7,"files":{"0":{"hash":"a","size":3},"2":{"hash":"c","size":5}}}`, protocol.Version),
		"files of null": fmt.Sprintf(`{"protocol":%d,"revision":7,"files":[null,null,null]}`, protocol.Version), "fewer files": stateText(3, 4), "a size that is too large": stateText(3, 4, 6), "a size that is too small": stateText(3, 4, 4),
		"a size below zero": stateText(9, 4, -1), "half a size": strings.Replace(state, `"size":3`, `"size":3.5`, 1), "a size in a text": strings.Replace(state, `"size":3`, `"size":"3"`, 1), "no size": strings.Replace(state, `"size":3`, `"s":3`, 1),
	} {
		rows["a state: "+name] = responseOf(other, index, "aaaccccc")
	}
	for name, other := range map[string]string{
		"null": `null`, "a list": `[[0,2]]`, "nothing": ``, "no JSON": `{"kept":[1],"sent":[0,2]`, "no kept": `{"sent":[0,2]}`, "no sent": `{"kept":[1]}`, "null as sent": `{"kept":[1],"sent":null}`,
		"null as kept": `{"kept":null,"sent":[0,2]}`, "a text": `{"kept":[1],"sent":"02"}`, "one that is not there": `{"kept":[1],"sent":[0,3]}`, "below zero": `{"kept":[1],"sent":[0,-1]}`, "half": `{"kept":[1],"sent":[0,1.5]}`,
		"texts": `{"kept":[1],"sent":["0","2"]}`, "a name of lists": `{"kept":["length"],"sent":[0,2]}`, "kept that is not there": `{"kept":[3],"sent":[0,2]}`, "too many": `{"kept":[],"sent":[0,1,2]}`, "too few": `{"kept":[1],"sent":[0]}`,
	} {
		rows["an index: "+name] = responseOf(state, other, "aaaccccc")
	}
	var names []string
	responses := [][]byte{whole}
	for name, response := range rows {
		if !bytes.Equal(response, whole) {
			names, responses = append(names, name), append(responses, response)
		}
	}
	got := readResponses(t, responses)
	if got[0].Error != "" || len(got[0].Sent) != 2 {
		t.Fatalf("the whole one is refused: %+v", got[0])
	}
	for i, name := range names {
		if got[i+1].Error == "" {
			t.Errorf("%s is taken: %+v", name, got[i+1])
		}
	}
}
