package rules

// ProgramVersion is the number of the program's format. A reader that knows
// another number blocks everything.
const ProgramVersion = 1

// A Program is a policy in the form that decides requests, in Go and in the
// service worker. It holds nothing that would have to be parsed or defaulted.
// The zero Program is of no version, so it blocks all.
type Program struct {
	Version int `json:"version"`
	// File is the policy's name, for verdicts.
	File  string        `json:"file"`
	Rules []ProgramRule `json:"rules"`
}

// A ProgramRule is a rule with its types spelled out.
type ProgramRule struct {
	ID     string `json:"id"`
	Action Action `json:"action"`
	// Methods is empty for any.
	Methods []string `json:"methods"`
	// Types is every type that the rule covers, never empty.
	Types   []Type   `json:"types"`
	Reason  string   `json:"reason"`
	Line    int      `json:"line"`
	Targets []Target `json:"targets"`
	Except  []Target `json:"except"`
}

// Program compiles the policy. A nil policy gives a program that blocks all.
func (p *Policy) Program() Program {
	program := Program{Version: ProgramVersion, Rules: []ProgramRule{}}
	if p == nil {
		return program
	}
	program.File = p.Name
	for i := range p.Rules {
		r := &p.Rules[i]
		// Empty lists, not nil ones: in JSON a nil slice is null.
		rule := ProgramRule{
			ID: r.ID, Action: r.Action, Reason: r.Reason, Line: r.Pos.Line,
			Methods: append([]string{}, r.Methods...),
			Types:   []Type{},
			Targets: targets(r.Patterns),
			Except:  targets(r.Except),
		}
		for _, t := range Types {
			if r.Covers(t) {
				rule.Types = append(rule.Types, t)
			}
		}
		program.Rules = append(program.Rules, rule)
	}
	return program
}

func targets(patterns []Pattern) []Target {
	all := []Target{}
	for _, p := range patterns {
		all = append(all, p.Targets...)
	}
	return all
}
