package deployment

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
)

const checkStream = "stream"

// checkStreams opens a stream on the outer frame's origin, and requests its end once
// the first line has arrived. If a proxy buffers the response, that request is too
// late: the server has ended the stream by then, and the last line says so.
func (p *prober) checkStreams(ctx context.Context) {
	s := p.sites[1]
	if s.down != "" {
		p.skip(checkStream, s)
		return
	}
	p.say("a stream of " + s.url.Host)
	f := Finding{Check: checkStream, Of: s.template}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := p.client()
	defer client.CloseIdleConnections()
	u := s.url
	u.Path, u.RawQuery = protocol.StreamCheckPath, url.Values{"id": {server.NewID()}}.Encode()
	first, last, asked, err := stream(ctx, client, u.String())
	const posts = "Let the proxy pass on requests of every method, such as POST."
	switch {
	case err != nil:
		f.Seen, f.Advice = fmt.Sprintf("No whole stream: %v.", withoutURL(err)), "Let the proxy keep answers open that take their time, and see its log."
	case first == "" && asked == http.StatusServiceUnavailable:
		f.Seen, f.Advice = "The server has too many of these checks open.", "Try again later."
		p.add(Warning, f)
		return
	case first != protocol.StreamBegins:
		f.Seen, f.Advice = fmt.Sprintf("No stream, but status %d.", asked), "Use doctor and server of one version, and let the proxy hand all paths to Bellglass."
	case last == protocol.StreamAsked:
		f.Seen = "Each line arrives when it is sent."
		p.add(OK, f)
		return
	case !told(asked):
		f.Seen, f.Advice = fmt.Sprintf("The request POST of the check is answered with %d.", asked), posts
	default:
		f.Seen = "A proxy buffers responses: the first line of a stream came only after its end. Pages would not see events and changes."
		f.Advice = "Turn buffering off. In nginx, write proxy_buffering off, and do not ignore X-Accel-Buffering. In Caddy, write flush_interval -1 in reverse_proxy."
	}
	p.add(Problem, f)
}

// told reports whether the server received the request to end the stream, which may
// have ended by then.
func told(status int) bool { return status == http.StatusNoContent || status == http.StatusNotFound }

// stream returns the first and last line of a stream, and the status of the request to
// end it. If the server refuses the stream, stream returns the status of that refusal.
func stream(ctx context.Context, client *http.Client, address string) (first, last string, asked int, err error) {
	send := func(method string) (*http.Response, error) {
		request, err := http.NewRequestWithContext(ctx, method, address, nil)
		if err != nil {
			return nil, err
		}
		return client.Do(request)
	}
	response, err := send(http.MethodGet)
	if err != nil {
		return "", "", 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", "", response.StatusCode, nil
	}
	body := bufio.NewReader(io.LimitReader(response.Body, 1<<10))
	line := func() (string, error) {
		text, err := body.ReadString('\n')
		return strings.TrimSuffix(text, "\n"), err
	}
	if first, err = line(); err != nil {
		return "", "", 0, err
	}
	if first != protocol.StreamBegins {
		return first, "", response.StatusCode, nil
	}
	asking, err := send(http.MethodPost)
	if err != nil {
		return "", "", 0, err
	}
	defer asking.Body.Close()
	if !told(asking.StatusCode) {
		return first, "", asking.StatusCode, nil
	}
	last, err = line()
	return first, last, asking.StatusCode, err
}
