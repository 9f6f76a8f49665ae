package webkit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"github.com/bellglass/bellglass/tests/internal/process"
)

// An object is a JSON object.
type object = map[string]any

// pause is the interval of polling.
const pause = 50 * time.Millisecond

// A session is a driver and the browser that it started.
type session struct {
	driver  *process.Process
	url     string // of the driver, and then of the session
	version string

	// WebDriver has one current frame. Callers hold this lock from selecting the frame
	// until they have the answer.
	mu sync.Mutex
}

func (b *Browser) newSession(ctx context.Context) (*session, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(b.driver, "--host="+host, "--port="+port)
	cmd.Env = b.environment()
	s := &session{url: "http://" + address}
	if s.driver, err = process.Start(cmd); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%w; the driver and its browser said:\n%s", err, s.driver.Output()), s.end())
	}
	return s, nil
}

// freeAddress finds a free port, because the driver cannot. If another program takes it
// meanwhile, the driver exits and says so.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func (s *session) begin(ctx context.Context) error {
	if err := s.awaitDriver(ctx); err != nil {
		return err
	}
	var created struct {
		SessionID    string
		Capabilities struct{ BrowserVersion string }
	}
	limit := patience.Milliseconds()
	if err := s.call(ctx, "POST", "/session", object{"capabilities": object{"alwaysMatch": object{
		// Connect directly, whatever the machine's proxy is.
		"proxy":               object{"proxyType": "direct"},
		"acceptInsecureCerts": true,
		"timeouts":            object{"script": limit, "pageLoad": limit},
	}}}, &created); err != nil {
		return err
	}
	s.url += "/session/" + created.SessionID
	s.version = created.Capabilities.BrowserVersion
	return nil
}

// awaitDriver returns once the driver listens, which the driver does not report.
func (s *session) awaitDriver(ctx context.Context) error {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		err := s.call(ctx, "GET", "/status", nil, nil)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-s.driver.Ended():
			return s.driver.Failure()
		case <-ctx.Done():
			return fmt.Errorf("the driver does not listen: %w", err)
		}
	}
}

// call sends a command and decodes the value of its answer into result, unless that is
// nil.
func (s *session) call(ctx context.Context, method, path string, params object, result any) error {
	var body io.Reader // a GET has none
	if params != nil {
		data, err := json.Marshal(params)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, body)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return fmt.Errorf("%s %s: HTTP status %d: %w", method, path, response.StatusCode, err)
	}
	if response.StatusCode != http.StatusOK {
		var failure struct{ Error, Message string }
		if err := json.Unmarshal(answer.Value, &failure); err != nil {
			failure.Message = string(answer.Value)
		}
		return fmt.Errorf("%s %s: %s: %s", method, path, failure.Error, failure.Message)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, result)
}

// client keeps no connections: a kept one would outlive its driver.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// end ends the driver and with it the browser.
func (s *session) end() error { return s.driver.Stop() }
