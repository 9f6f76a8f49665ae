package child

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// startTime is how long a child may take to start.
const startTime = 10 * time.Second

// Errors of a request.
var (
	errSlow = errors.New("the request missed its deadline")
	errGone = errors.New("the child ended while the request was running")
)

// A process is a child that has started.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	errors head
	gone   chan struct{} // closed when it has ended

	sending sync.Mutex
	encoder *gob.Encoder
	buffer  *bufio.Writer

	mu      sync.Mutex
	last    uint64 // ID
	waiting map[uint64]chan<- response
}

// start starts a child, and waits until it is ready.
func start() (*process, error) {
	p := &process{gone: make(chan struct{}), waiting: map[uint64]chan<- response{}}
	path, err := program()
	if err != nil {
		return nil, err
	}
	// An environment that is nil would be this program's.
	p.cmd = &exec.Cmd{Path: path, Args: []string{argument}, Env: []string{}, Stderr: &p.errors}
	apart(p.cmd)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.buffer = bufio.NewWriter(p.in)
	p.encoder = gob.NewEncoder(p.buffer)
	timer := time.AfterFunc(startTime, p.kill)
	defer timer.Stop()
	decoder := gob.NewDecoder(bufio.NewReader(out))
	var first response
	if err := decoder.Decode(&first); err != nil {
		p.kill()
		err = errors.Join(err, p.cmd.Wait())
		return nil, fmt.Errorf("it ended before it was ready: %w, with the output %q", err, p.errors.String())
	}
	go p.read(decoder)
	return p, nil
}

// read passes responses on until the child has ended.
func (p *process) read(decoder *gob.Decoder) {
	defer close(p.gone)
	for {
		var r response
		if decoder.Decode(&r) != nil {
			break
		}
		p.mu.Lock()
		answered := p.waiting[r.ID]
		delete(p.waiting, r.ID)
		p.mu.Unlock()
		if answered != nil {
			answered <- r
		}
	}
	p.kill()
	_ = p.cmd.Wait() // it says how the child ended, which is the same for all requests
}

// do sends a request and returns its response. It fails with errGone if the child ends. If the
// request misses the deadline, do ends the child and fails with errSlow. If ctx is done, do ends the
// child and fails with the cause.
func (p *process) do(ctx context.Context, r request, deadline time.Duration) (response, error) {
	if ctx.Err() != nil {
		return response{}, context.Cause(ctx)
	}
	stop := context.AfterFunc(ctx, p.kill)
	defer func() {
		if !stop() {
			<-p.gone // so that the next request starts another child
		}
	}()
	var missed atomic.Bool
	timer := time.AfterFunc(deadline, func() {
		missed.Store(true)
		p.kill()
	})
	defer timer.Stop()
	answered := make(chan response, 1)
	p.mu.Lock()
	p.last++
	r.ID = p.last
	p.waiting[r.ID] = answered
	p.mu.Unlock()
	if p.send(r) != nil {
		p.kill()
	}
	select {
	case a := <-answered:
		return a, nil
	case <-p.gone:
	}
	select {
	case a := <-answered: // its last response
		return a, nil
	default:
	}
	if ctx.Err() != nil {
		return response{}, context.Cause(ctx)
	}
	if missed.Load() {
		return response{}, errSlow
	}
	return response{}, errGone
}

func (p *process) send(r request) error {
	p.sending.Lock()
	defer p.sending.Unlock()
	if err := p.encoder.Encode(r); err != nil {
		return err
	}
	return p.buffer.Flush()
}

// kill ends the child at once.
func (p *process) kill() { _ = p.cmd.Process.Kill() } // it fails if the child has ended

// end lets the child end itself.
func (p *process) end() { _ = p.in.Close() }

func (p *process) ended() bool {
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}

// head keeps the beginning of what is written to it.
type head struct{ text strings.Builder }

func (h *head) Write(data []byte) (int, error) {
	const most = 1 << 10
	h.text.Write(data[:min(len(data), max(0, most-h.text.Len()))])
	return len(data), nil
}

func (h *head) String() string { return strings.TrimSpace(h.text.String()) }
