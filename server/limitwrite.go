package server

import (
	"net/http"
	"time"
)

// writeStep is how much of a response a client must receive within [Limits.WriteTime].
const writeStep = 64 << 10 // bytes

// patient sets deadlines: one for the whole request body, and one for each step of the
// response. So a response may take long, and a stream may last forever, but a client that
// receives nothing is disconnected.
func (l *Limits) patient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &patientWriter{w, http.NewResponseController(w), l.WriteTime}
		// Bytes that bypass the writer below, such as the header of an empty response, are
		// written soon.
		p.extend()
		if r.ContentLength != 0 {
			// Setting the deadline fails only if the connection is closed. The first read of
			// the body then reports that.
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

// extend begins a step. On a closed connection it fails. Then the next write fails too, and
// tells the caller.
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

// FlushError makes [http.ResponseController.Flush] work.
func (p *patientWriter) FlushError() error {
	p.extend()
	return p.control.Flush()
}

// Unwrap makes [http.ResponseController] work.
func (p *patientWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
