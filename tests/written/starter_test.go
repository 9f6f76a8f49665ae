package written

import (
	"fmt"
	"testing"

	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/tests/internal/command"
)

// What the starter has can be added without a registry, in the versions of the starter.
func TestStarterIsAddedOffline(t *testing.T) {
	t.Parallel()
	_, all, err := packages.Starter(t.Context(), packages.Options{Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	arguments := []string{"add", "--offline", "--dir", t.TempDir()}
	for _, one := range all {
		arguments = append(arguments, one.Name)
		want += fmt.Sprintf("%s %s\n", one.Name, one.Version)
	}
	if got := command.Run(t, arguments...); got.Status != 0 || got.Stdout != want {
		t.Errorf("status %d, standard output\n%s, want\n%s; standard error\n%s", got.Status, got.Stdout, want, got.Stderr)
	}
	if got := command.Run(t, "add", "--offline", "--dir", t.TempDir(), "recharts@2"); got.Status != 1 {
		t.Errorf("a version that is not in the starter: status %d, %s", got.Status, got.Stdout)
	}
}
