package server

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"github.com/bellglass/bellglass/server/api"
)

// An apiToken is a token that the HTTP API accepts. Only its digest is kept: comparing digests
// takes the same time whatever the client sent.
type apiToken struct {
	digest [sha256.Size]byte
	bucket *rate.Limiter
	made   api.Keyring
}

// tokenSyntax is the token68 of RFC 9110, section 11.2, with a bounded length.
var tokenSyntax = regexp.MustCompile(`^[A-Za-z0-9._~+/-]{16,256}={0,2}$`)

func (c *Config) checkTokens() error {
	for i, token := range c.Tokens {
		if !tokenSyntax.MatchString(token) {
			// The error leaves the token out: even an invalid token is a secret.
			return fmt.Errorf("server: API token %d, of %d bytes, is invalid: it must have 16 to 256 letters, digits, and - . _ ~ + /, with = only at the end; generate one with: openssl rand -hex 24", i+1, len(token))
		}
		if slices.Contains(c.Tokens[:i], token) {
			return fmt.Errorf("server: API token %d is given twice", i+1)
		}
	}
	return nil
}

func (s *Server) makeTokens() {
	s.ownToken = rand.Text()
	for _, token := range append([]string{s.ownToken}, s.config.Tokens...) {
		s.tokens = append(s.tokens, &apiToken{digest: sha256.Sum256([]byte(token)), bucket: s.config.Limits.API.Limiter()})
	}
}

// Token returns a token for the HTTP API. The server made it for itself when it started, and
// no other server accepts it.
func (s *Server) Token() string { return s.ownToken }

// requireCaller makes a guard of [Server.checkCaller].
func (s *Server) requireCaller(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.checkCaller(c); err != nil {
			return err
		}
		return next(c)
	}
}

// requireOrigin makes a guard of [Server.checkOrigin].
func (s *Server) requireOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.checkOrigin(c.Request()); err != nil {
			return err
		}
		return next(c)
	}
}

// checkCaller accepts requests that have a valid token and do not come from another origin's
// page.
func (s *Server) checkCaller(c echo.Context) error {
	if err := s.checkOrigin(c.Request()); err != nil {
		return err
	}
	return s.checkToken(c)
}

// checkOrigin rejects requests from pages of other origins. A program sends neither Origin nor
// Sec-Fetch-Site. A browser sends both, and page code cannot set them. These headers only tell
// pages apart: only the token authenticates a program.
func (s *Server) checkOrigin(r *http.Request) error {
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return refuse(http.StatusForbidden, "cross-origin", "The request comes from a page of another origin (Sec-Fetch-Site: %.20s). Send it from a program, or from a page of the API's own origin.", site)
		}
	}
	for _, origin := range r.Header.Values("Origin") {
		// The Host header has been checked, so an origin with this host is ours.
		if origin != s.config.public.scheme+"://"+strings.ToLower(r.Host) {
			return refuse(http.StatusForbidden, "cross-origin", "The request comes from a page of another origin (%.200q). Send it from a program, or from a page of the API's own origin.", origin)
		}
	}
	return nil
}

// checkToken accepts requests with a valid token, within the token's rate limit.
func (s *Server) checkToken(c echo.Context) error {
	token := s.token(c.Request().Header.Values("Authorization"))
	if token == nil {
		c.Response().Header().Set("WWW-Authenticate", `Bearer realm="bellglass"`)
		return refuse(http.StatusUnauthorized, "unauthorized", "The request has no token, or an invalid one. Send the header Authorization: Bearer TOKEN. TOKEN is a value of --token, or the one that the server printed when it started.")
	}
	exchangeOf(c.Request()).token = token
	if !token.bucket.Allow() {
		return refuseFor(c.Response(), http.StatusTooManyRequests, untilThere(token.bucket, 1), "too-many-requests", "This token has exceeded its rate limit. Wait for the number of seconds in Retry-After.")
	}
	return nil
}

// token returns the token that the header contains, or nil. It compares with every token, so
// that the time does not reveal which one is similar.
func (s *Server) token(authorization []string) (found *apiToken) {
	if len(authorization) != 1 {
		return nil
	}
	scheme, text, _ := strings.Cut(authorization[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil
	}
	digest := sha256.Sum256([]byte(strings.TrimLeft(text, " ")))
	for _, token := range s.tokens {
		if subtle.ConstantTimeCompare(digest[:], token.digest[:]) == 1 {
			found = token
		}
	}
	return found
}
