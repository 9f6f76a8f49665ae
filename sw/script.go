package sw

import (
	"embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/bellglass/bellglass/protocol"
)

// TypeScript is the worker's source.
//
//go:embed src/*.ts
var TypeScript embed.FS

// A Worker is the bundled service worker, the same for every sandbox.
type Worker struct {
	bundle  Bundled
	prelude string
	client  string
}

// Lacks says which defenses a worker leaves out, for tests that show what each defense is for.
// The zero value leaves out none.
type Lacks struct {
	// Decision: the worker does not handle requests to other origins.
	Decision bool
	// AnswerHeaders: the worker keeps every header of an allowed host's response.
	AnswerHeaders bool
}

// workers caches the bundle for each Lacks, as a func() (Bundled, error). The sources are
// embedded in the program, so a bundle never changes.
var workers sync.Map

func bundleWorker(lacks Lacks) (Bundled, error) {
	bundle, _ := workers.LoadOrStore(lacks, sync.OnceValues(func() (Bundled, error) {
		return Bundle(Sources{"sw": TypeScript, "protocol": protocol.TypeScript}, "sw/src/worker.ts",
			map[string]string{"DECIDES": fmt.Sprint(!lacks.Decision), "DROPS_HEADERS": fmt.Sprint(!lacks.AnswerHeaders)})
	}))
	return bundle.(func() (Bundled, error))()
}

// NewWorker bundles the worker. prelude is a script of one line, which the worker puts before
// the scripts of the sandbox's own workers. client is what follows State.Client in each
// document.
func NewWorker(lacks Lacks, prelude []byte, client string) (*Worker, error) {
	bundle, err := bundleWorker(lacks)
	if err != nil {
		return nil, err
	}
	return &Worker{bundle: bundle, prelude: string(prelude), client: client}, nil
}

// Prelude returns the script that the worker puts before the scripts of the sandbox's own
// workers.
func (w *Worker) Prelude() string { return w.prelude }

// Hash identifies the bundle. The boot page rejects a worker with another hash.
func (w *Worker) Hash() string { return w.bundle.Hash }

// Script returns the worker's script for one sandbox. The worker shows secret and key to the
// server. incarnation names the sandbox that they belong to. policy names the headers that the
// script is served with: a new policy gives a new script, which the browser then installs.
// refusal is the header set of answers that the worker gives before it knows its state.
func (w *Worker) Script(secret, key, incarnation, policy string, refusal map[string]string) ([]byte, error) {
	config, err := json.Marshal(WorkerConfig{Secret: secret, Key: key, Incarnation: incarnation, Bundle: w.bundle.Hash, Policy: policy, Refusal: refusal, Prelude: w.prelude, Client: w.client})
	if err != nil {
		return nil, fmt.Errorf("writing the worker's configuration: %w", err)
	}
	script := make([]byte, 0, len(config)+len(w.bundle.JS)+64)
	script = append(script, "const bellglassConfig = "...)
	script = append(script, config...)
	script = append(script, ";\n"...)
	return append(script, w.bundle.JS...), nil
}
