// Package posthorn is Posthorn's API for Go. Its methods are made from the API's own catalog of
// routes; package webhooks, beside it, verifies what Posthorn delivers.
package posthorn

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// Option changes how calls are made: those of a client when it is given to New, else one call.
type Option func(*settings)

type settings struct {
	projectID      string
	subAccountID   string
	idempotencyKey string
	timeout        time.Duration
	maxRetries     int
	httpClient     *http.Client
}

// WithProject narrows calls to a project.
func WithProject(id string) Option { return func(s *settings) { s.projectID = id } }

// WithSubAccount acts in a sub-account: by its id or its external id.
func WithSubAccount(id string) Option { return func(s *settings) { s.subAccountID = id } }

// WithIdempotencyKey names the event that one call makes; without it the call makes a key up.
func WithIdempotencyKey(key string) Option { return func(s *settings) { s.idempotencyKey = key } }

// WithTimeout limits all attempts of a call together: 60 seconds without it. The deadline of the
// context holds as well.
func WithTimeout(timeout time.Duration) Option { return func(s *settings) { s.timeout = timeout } }

// WithMaxRetries limits the attempts after the first: 3 without it.
func WithMaxRetries(n int) Option { return func(s *settings) { s.maxRetries = n } }

// WithHTTPClient sends by a copy of this client, which follows no redirects: they would take the
// API key along.
func WithHTTPClient(client *http.Client) Option {
	given := *client
	given.CheckRedirect = func(to *http.Request, _ []*http.Request) error {
		return fmt.Errorf("the API redirects to %s", to.URL.Redacted())
	}
	return func(s *settings) { s.httpClient = &given }
}

// New makes a client. baseURL is the installation's, as https://hooks.example.com.
func New(apiKey, baseURL string, options ...Option) (*Client, error) {
	base, err := url.Parse(baseURL)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return nil, fmt.Errorf("posthorn: the base URL %q must be an http(s) URL", baseURL)
	}
	if apiKey == "" || strings.ContainsFunc(apiKey, unicode.IsControl) {
		return nil, errors.New("posthorn: the API key is missing, or is none")
	}
	// A long poll needs that much.
	defaults := settings{timeout: time.Minute, maxRetries: 3}
	WithHTTPClient(http.DefaultClient)(&defaults)
	given, err := defaults.with(options)
	if err != nil {
		return nil, err
	}
	if given.idempotencyKey != "" {
		return nil, errors.New("posthorn: an idempotency key is of one call, not of a client")
	}
	baseURL = strings.TrimRight(baseURL, "/")
	return newClient(&core{apiKey, baseURL, given, rand.Float64, time.After}), nil
}

func (s settings) with(options []Option) (settings, error) {
	for _, option := range options {
		option(&s)
	}
	for _, value := range []string{s.projectID, s.subAccountID, s.idempotencyKey} {
		if strings.ContainsFunc(value, unicode.IsControl) {
			return s, fmt.Errorf("posthorn: %q has a control character, which no header may", value)
		}
	}
	if s.timeout <= 0 {
		return s, fmt.Errorf("posthorn: the timeout %v must be above 0", s.timeout)
	}
	if s.maxRetries < 0 {
		return s, fmt.Errorf("posthorn: the number of retries %d must be 0 or more", s.maxRetries)
	}
	return s, nil
}
