package server

import (
	"net/http"
	"time"
)

// writeStep is how much of an answer a client has to take within [Limits.WriteTime].
const writeStep = 64 << 10 // bytes

// patient answers with deadlines: for the request's body as a whole, and for
// each step of the answer, so that an answer may take long, and a stream for
// ever, but a client that takes nothing of it is cut off.
func (l *Limits) patient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &patientWriter{w, http.NewResponseController(w), l.WriteTime}
		// What is written without the writer below, such as the header of an
		// empty answer, is written soon.
		p.extend()
		if r.ContentLength != 0 {
			// The connection is closed when the deadline cannot be set, and the
			// body's first read says so.
			_ = p.control.SetReadDeadline(time.Now().Add(l.BodyTime))
		}
		next.ServeHTTP(p, r)
	})
}

type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	time    time.Duration
}

// extend begins a step. On a connection that is closed it fails, and so does
// the write that follows, which tells the caller.
func (p *patientWriter) extend() { _ = p.control.SetWriteDeadline(time.Now().Add(p.time)) }

func (p *patientWriter) Write(b []byte) (int, error) {
	written := 0
	for {
		p.extend()
		n, err := p.ResponseWriter.Write(b[written:min(len(b), written+writeStep)])
		written += n
		if err != nil || written == len(b) {
			return written, err
		}
	}
}

// FlushError is what [http.ResponseController.Flush] looks for.
func (p *patientWriter) FlushError() error {
	p.extend()
	return p.control.Flush()
}

// Unwrap is what [http.ResponseController] looks for.
func (p *patientWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
