package sandbox

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A program can tell which field of a Spec is wrong.
func TestSpecErrorsNameTheField(t *testing.T) {
	r := newTestRegistry(t, Config{})
	files, _ := mustCreate(t, r).Files()
	good := Spec{Files: files}
	for field, change := range map[string]func(*Spec){
		"files":       func(s *Spec) { s.Files = nil },
		"id":          func(s *Spec) { s.ID = "short" },
		"entry":       func(s *Spec) { s.Entry = "index.html" },
		"fallback":    func(s *Spec) { s.Fallback = "/none.html" },
		"flags":       func(s *Spec) { s.Flags = []string{"allow-everything"} },
		"permissions": func(s *Spec) { s.Permissions = []string{"everything"} },
		"idle":        func(s *Spec) { s.Idle = -time.Second },
		"ttl":         func(s *Spec) { s.TTL = -time.Second },
	} {
		spec := good
		change(&spec)
		_, err := r.Create(spec, nil)
		if wrong, is := errors.AsType[*SpecError](err); !is || wrong.Field != field {
			t.Errorf("with a wrong %s: %v", field, err)
		}
	}
	good.Name = strings.Repeat("a folder/", 100)
	if _, err := r.Create(good, nil); err != nil {
		t.Errorf("the spec without a mistake: %v", err)
	}
}
