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

// Lacks says what a worker leaves undone, for tests that show what it is for. The
// zero value lacks nothing.
type Lacks struct {
	// Decision: it lets every request to another origin go by.
	Decision bool
	// AnswerHeaders: it hands on every header of an allowed host's answer.
	AnswerHeaders bool
}

// workers holds what is bundled for each Lacks, a func() (Bundled, error): the sources are
// embedded in the program.
var workers sync.Map

func bundleWorker(lacks Lacks) (Bundled, error) {
	bundle, _ := workers.LoadOrStore(lacks, sync.OnceValues(func() (Bundled, error) {
		return Bundle(Sources{"sw": TypeScript, "protocol": protocol.TypeScript}, "sw/src/worker.ts",
			map[string]string{"DECIDES": fmt.Sprint(!lacks.Decision), "DROPS_HEADERS": fmt.Sprint(!lacks.AnswerHeaders)})
	}))
	return bundle.(func() (Bundled, error))()
}

// NewWorker bundles the worker. The prelude is a script of one line, which it puts
// ahead of the scripts of the sandbox's own workers. client is the part of the client
// script that all sandboxes share.
func NewWorker(lacks Lacks, prelude []byte, client string) (*Worker, error) {
	bundle, err := bundleWorker(lacks)
	if err != nil {
		return nil, err
	}
	return &Worker{bundle: bundle, prelude: string(prelude), client: client}, nil
}

// Prelude is what the worker puts ahead of the scripts of the sandbox's own workers.
func (w *Worker) Prelude() string { return w.prelude }

// Hash identifies the bundle. The boot page refuses a worker of another hash.
func (w *Worker) Hash() string { return w.bundle.Hash }

// Script returns the worker's script for one sandbox. secret and key are what the
// worker shows to the server; incarnation names the sandbox to which they belong; policy names the headers that the script is served with,
// so that another policy is another script, which the browser then installs;
// refusal is the header set of an answer that it gives before it knows its state.
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
