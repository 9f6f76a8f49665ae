package npm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// An answer is the body of a response with status 200, or 304 without one.
type answer struct {
	body        []byte
	etag        string
	notModified bool
}

// A statusError is an answer with a status that is no success.
type statusError struct {
	url  string
	code int
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s answers with status %d %s", e.url, e.code, http.StatusText(e.code))
}

// passing reports whether the same request can succeed later.
func (e *statusError) passing() bool {
	return e.code >= 500 || e.code == http.StatusTooManyRequests || e.code == http.StatusRequestTimeout
}

// errRefused marks a redirect that is not followed, so that it is not retried.
var errRefused = errors.New("refused")

// retries is how often a failed request is repeated, as npm does it.
const retries = 2

// fetch gets a URL of at most limit bytes. It retries what can be a passing failure.
func (c *Client) fetch(ctx context.Context, address string, header http.Header, limit int64) (answer, error) {
	pause := c.Pause
	for attempt := 0; ; attempt++ {
		a, err := c.fetchOnce(ctx, address, header, limit)
		status, isStatus := errors.AsType[*statusError](err)
		_, isRejected := errors.AsType[*RejectedError](err)
		if err == nil || attempt == retries || isStatus && !status.passing() || isRejected || errors.Is(err, errRefused) || ctx.Err() != nil {
			if err != nil && context.Cause(ctx) != nil {
				err = fmt.Errorf("%s: %w", address, context.Cause(ctx))
			}
			if err != nil && attempt > 0 {
				err = fmt.Errorf("%w, also after %d retries", err, attempt)
			}
			return a, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
		pause *= 4
	}
}

func (c *Client) fetchOnce(ctx context.Context, address string, header http.Header, limit int64) (a answer, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return a, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("User-Agent", "bellglass")
	if err := c.authorize(request); err != nil {
		return a, err
	}
	response, err := c.client().Do(request)
	if err != nil {
		return a, plain(err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusNotModified && request.Header.Get("If-None-Match") != "":
		return answer{notModified: true}, nil
	case response.StatusCode != http.StatusOK:
		return a, &statusError{url: address, code: response.StatusCode}
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return a, fmt.Errorf("%s: the answer broke off: %w", address, err)
	}
	if int64(len(body)) > limit {
		return a, fmt.Errorf("%s: %w", address, rejected("the registry's answer has more than %d bytes, which is the limit", limit))
	}
	return answer{body: body, etag: response.Header.Get("ETag")}, nil
}

func (c *Client) authorize(request *http.Request) error {
	request.Header.Del("Authorization")
	header, err := c.Config.authorization(request.URL)
	if err == nil && header != "" {
		request.Header.Set("Authorization", header)
	}
	return err
}

// client returns the HTTP client. It decides the credentials of each redirect anew, because
// tarballs are often stored at another host.
func (c *Client) client() *http.Client {
	client := http.Client{}
	if c.HTTP != nil {
		client = *c.HTTP
	}
	client.CheckRedirect = func(request *http.Request, via []*http.Request) error {
		switch {
		case len(via) >= 5:
			return fmt.Errorf("%w: more than 5 redirects", errRefused)
		case via[0].URL.Scheme == "https" && request.URL.Scheme != "https":
			return fmt.Errorf("%w: it redirects from https to %s://%s", errRefused, request.URL.Scheme, request.URL.Host)
		}
		return c.authorize(request)
	}
	return &client
}

// plain names the URL once. http.Client quotes it and the method.
func plain(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s: %w", failed.URL, failed.Err)
	}
	return err
}
