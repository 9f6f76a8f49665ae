package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// The clients continue while a server refuses requests. If a server refuses none or
// does not answer, they report that instead of waiting forever.
func TestBegin(t *testing.T) {
	// Bodies are read, because a connection that is closed earlier counts as no answer.
	for _, row := range []struct {
		name   string
		answer http.HandlerFunc
		size   size
		says   []string // of the error; none if there is none
	}{
		{"refuses", func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusTooManyRequests)
		}, size{15, 6, whole.patience}, nil},
		{"takes all", func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }, size{2, 6, whole.patience},
			[]string{"waited for 100 refusals", "after all was sent", "refused 0 requests, taken 14 and not answered 0", "opened 3 streams on 6 connections", "server.Limits"}},
		{"is silent", func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() }, size{1, 6, time.Millisecond},
			[]string{"waited for 100 refusals", "after 1ms", "refused 0 requests, taken 0"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := httptest.NewServer(row.answer)
			defer server.Close()
			address, err := url.Parse(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			err = run(strings.NewReader(`{"Port":`+address.Port()+`,"URL":"http://a.localhost","Events":"http://b.localhost/events","Reports":"http://b.localhost/reports"}`+"\n"), json.NewEncoder(&out), row.size)
			if lines := strings.Count(out.String(), "\n"); (err == nil) != (row.says == nil) || lines != 2 && err == nil || lines != 0 && err != nil {
				t.Fatalf("it says %q and ends with %v", out.String(), err)
			}
			for _, says := range row.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("no %q in %q", says, err)
				}
			}
		})
	}
}
