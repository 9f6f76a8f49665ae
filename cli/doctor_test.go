package cli

import (
	"errors"
	"testing"

	"github.com/bellglass/bellglass/selftest"
)

// Each verdict has its exit status.
func TestDoctorConcludes(t *testing.T) {
	for _, c := range []struct {
		verdict    selftest.Verdict
		allowKnown bool
		want       int
	}{
		{selftest.VerdictContained, false, 0},
		{selftest.VerdictEscaped, false, exitProblem},
		{selftest.VerdictEscaped, true, exitProblem},
		{selftest.VerdictKnownOpen, false, exitKnownOpen},
		{selftest.VerdictKnownOpen, true, 0},
		{selftest.VerdictUnmeasured, true, exitUnmeasured},
		{"", true, exitUnmeasured},
	} {
		err := (&doctor{AllowKnown: c.allowKnown}).conclude(c.verdict)
		status := 0
		if err != nil {
			status = exitProblem
			if own, ok := errors.AsType[interface {
				error
				status() int
			}](err); ok {
				status = own.status()
			}
		}
		if status != c.want {
			t.Errorf("%q, known allowed %v: status %d, want %d", c.verdict, c.allowKnown, status, c.want)
		}
	}
}
