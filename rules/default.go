package rules

import _ "embed"

// Default is the policy file that blocks everything. Its comments teach the
// language.
//
//go:embed default.yaml
var Default []byte
