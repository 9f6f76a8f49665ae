package api

import "testing"

func TestMeasureJSON(t *testing.T) {
	for _, row := range []struct {
		text          string
		values, depth int
	}{
		{``, 1, 0}, {`1`, 1, 0}, {`[]`, 2, 1}, {`[1,2,3]`, 4, 1}, {`{"a":1,"b":[2,3]}`, 5, 2}, {`"a,b[{"`, 1, 0}, {`["\",\\",","]`, 3, 1}, {`"\`, 1, 0}, {`[[[[`, 5, 4}, {`[[],[{}],0]`, 7, 3}, {`]]]][`, 2, 0},
	} {
		if values, depth := MeasureJSON([]byte(row.text)); values != row.values || depth != row.depth {
			t.Errorf("%s holds %d values %d deep, want %d values %d deep", row.text, values, depth, row.values, row.depth)
		}
	}
}
