package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/bellglass/bellglass/server"
)

// listenTLS makes the listeners use TLS if there is a certificate.
func (c *serve) listenTLS(listeners *server.Listeners, log *slog.Logger) (err error) {
	if c.TLSCert == "" && c.TLSKey == "" {
		return nil
	}
	if c.TLSCert == "" || c.TLSKey == "" {
		return errors.New("--tls-cert and --tls-key belong together: give both")
	}
	if c.certificate, err = server.LoadCertificate(c.TLSCert, c.TLSKey, log); err != nil {
		return fmt.Errorf("--tls-cert: %w", err)
	}
	listeners.TLS(c.certificate)
	return nil
}

// checkCertificate rejects a certificate that no browser would accept.
func (c *serve) checkCertificate(config server.Config) error {
	if c.certificate == nil {
		return nil
	}
	origins, err := config.Origins()
	if err != nil {
		return err
	}
	if err := c.certificate.Check(origins, time.Now()); err != nil {
		return fmt.Errorf("--tls-cert: %w", err)
	}
	return nil
}

// link returns the address of the host page. If that page needs the printed token, the
// token is in the fragment, which browsers do not send.
func (c *serve) link(srv *server.Server) string {
	link := srv.PublicURL() + "/"
	if srv.NeedsToken() && len(c.Token) == 0 {
		link += "#token=" + srv.Token()
	}
	return link
}

// serveMetrics serves at --metrics-addr until stop is called.
func (c *serve) serveMetrics(srv *server.Server, log *slog.Logger) (stop func() error, err error) {
	if c.MetricsAddr == "" {
		return func() error { return nil }, nil
	}
	listeners, err := server.Listen(c.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("--metrics-addr: %w", err)
	}
	h := &http.Server{Handler: srv.MetricsHandler(), ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	failed := make(chan error, len(listeners.All()))
	for _, each := range listeners.All() {
		go func() { failed <- h.Serve(each) }()
	}
	return func() error {
		err := h.Close()
		for range listeners.All() {
			if serving := <-failed; !errors.Is(serving, http.ErrServerClosed) {
				err = errors.Join(err, fmt.Errorf("--metrics-addr: %w", serving))
			}
		}
		return err
	}, nil
}
