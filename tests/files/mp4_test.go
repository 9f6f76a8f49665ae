package files

import (
	"bytes"
	bin "encoding/binary"
	"slices"
)

// mp4 returns an MP4 file (ISO/IEC 14496-12) with that many seconds of silence, at perSecond
// bytes per second. The index comes last, as streaming encoders write it. The sound is Opus
// (https://opus-codec.org/docs/opus_in_isobmff.html).
func mp4(seconds, perSecond int) []byte {
	const rate, perPacket = 48_000, 960 // samples: 20 ms in each packet
	packet := silence(perSecond * perPacket / rate)
	packets := seconds * rate / perPacket
	sound := bytes.Repeat(packet, packets)
	head := box("ftyp", "isom", uint32(0), "isom", "mp42")

	const zero, once = uint32(0), uint32(1) // zero is usually a version and flags, and once an entry count
	matrix := []uint32{1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30}
	duration := uint32(packets * perPacket)
	description := box("Opus", make([]byte, 6), uint16(1), make([]byte, 8), uint16(2), uint16(16), zero, uint32(rate<<16),
		box("dOps", byte(0), byte(2), uint16(0), uint32(rate), uint16(0), byte(0)))
	table := box("stbl",
		box("stsd", zero, once, description),
		box("stts", zero, once, uint32(packets), uint32(perPacket)),
		box("stsc", zero, once, uint32(1), uint32(packets), uint32(1)),
		box("stsz", zero, uint32(len(packet)), uint32(packets)),
		box("stco", zero, once, uint32(len(head)+8)))
	media := box("mdia",
		box("mdhd", zero, zero, zero, uint32(rate), duration, uint32(0x55c4<<16)), // language: und
		box("hdlr", zero, zero, "soun", make([]byte, 12), byte(0)),
		box("minf", box("smhd", zero, zero), box("dinf", box("dref", zero, once, box("url ", uint32(1)))), table))
	track := box("trak",
		box("tkhd", uint32(3), zero, zero, uint32(1), zero, duration, make([]byte, 12), uint16(1<<8), uint16(0), matrix, zero, zero),
		media)
	index := box("moov",
		box("mvhd", zero, zero, zero, uint32(rate), duration, uint32(1<<16), uint16(1<<8), make([]byte, 10), matrix, make([]byte, 24), uint32(2)),
		track)
	return slices.Concat(head, box("mdat", sound), index)
}

// box encodes a box of an MP4 file with its fields.
func box(name string, fields ...any) []byte {
	var content []byte
	for _, field := range fields {
		if text, ok := field.(string); ok {
			field = []byte(text)
		}
		content, _ = bin.Append(content, bin.BigEndian, field) // each field has a fixed size
	}
	return slices.Concat(bin.BigEndian.AppendUint32(nil, uint32(8+len(content))), []byte(name), content)
}

// silence returns an Opus packet of 20 ms, padded to a size in bytes (RFC 6716, section 3.2.5).
func silence(size int) []byte {
	const code3, one, padded = 0xff, 0x01, 0x40 // CELT, 20 ms, stereo; one frame; with padding
	frame := []byte{0xff, 0xfe}
	packet := []byte{code3, one | padded}
	rest := size - len(packet) - len(frame)
	// Each 255 counts 254 bytes of padding and itself. The last byte counts the rest.
	packet = append(packet, bytes.Repeat([]byte{255}, (rest-1)/255)...)
	packet = append(packet, byte((rest-1)%255))
	packet = append(packet, frame...)
	return append(packet, make([]byte, size-len(packet))...)
}
