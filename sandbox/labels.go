package sandbox

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Limits of a sandbox's labels.
const (
	mostLabels   = 32
	longestValue = 200 // bytes
)

// labelKey is the syntax of a label's key.
var labelKey = regexp.MustCompile(`^[a-z0-9]([a-z0-9._/-]{0,61}[a-z0-9])?$`)

func checkLabels(labels map[string]string) error {
	if len(labels) > mostLabels {
		return &SpecError{"labels", fmt.Sprintf("there are %d labels; at most %d are allowed", len(labels), mostLabels)}
	}
	for key, value := range labels {
		if !labelKey.MatchString(key) {
			return &SpecError{"labels", fmt.Sprintf("the label %.100q has no valid key: it must have 1 to 63 characters a-z, 0-9, and . _ / - between them", key)}
		}
		if !Plain(value, longestValue) {
			return &SpecError{"labels", fmt.Sprintf("the value of the label %s is longer than %d bytes or has control characters", key, longestValue)}
		}
	}
	return nil
}

// A Label selects sandboxes that have it.
type Label struct {
	Key   string
	Value string
	// Any selects sandboxes whatever the value is.
	Any bool
}

// ParseLabel reads key=value, or a key alone for any value.
func ParseLabel(text string) (Label, error) {
	key, value, hasValue := strings.Cut(text, "=")
	if !labelKey.MatchString(key) || !Plain(value, longestValue) {
		return Label{}, fmt.Errorf("%.100q is not a label: write key=value, or a key alone for any value", text)
	}
	return Label{Key: key, Value: value, Any: !hasValue}, nil
}

// hasLabels reports whether the sandbox has all of the labels.
func (sb *Sandbox) hasLabels(labels []Label) bool {
	if len(labels) == 0 {
		return true
	}
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return !slices.ContainsFunc(labels, func(l Label) bool {
		value, found := sb.labels[l.Key]
		return !found || !l.Any && value != l.Value
	})
}
