package posthorn

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	firstDelay = 250 * time.Millisecond
	maxDelay   = 8 * time.Second
	// Several times the largest page.
	maxAnswerBytes = 64 << 20
)

// Sent again without harm. POST and PATCH are not, unless an idempotency key makes them so.
var idempotent = []string{http.MethodGet, http.MethodPut, http.MethodDelete}

// A refusal: nothing was done, so that any call may be repeated.
var refusals = []int{408, 429, 503}

// apiCall is what the generated methods ask for.
type apiCall struct {
	method string
	// With the names of its parameters: /api/v1/events/{eventId}.
	path   string
	inPath []string
	query  url.Values
	body   any
	// It takes an idempotency key.
	hasKey bool
}

// core makes calls: attempts with back-off until one is answered, all within one deadline. A call
// that makes an event keeps one idempotency key over its attempts, so that it makes one event.
type core struct {
	apiKey   string
	baseURL  string
	settings settings
	// From 0 up to 1.
	random func() float64
	after  func(time.Duration) <-chan time.Time
}

func send[Answer any](ctx context.Context, c *core, call apiCall, options []Option) (*Answer, error) {
	answer := new(Answer)
	if err := c.do(ctx, call, options, answer); err != nil {
		return nil, err
	}
	return answer, nil
}

func (c *core) do(ctx context.Context, call apiCall, options []Option, answer any) error {
	given, err := c.settings.with(options)
	if err != nil {
		return err
	}
	request, err := c.prepare(call, given)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, given.timeout)
	defer cancel()
	isUncertain := false
	for attempt := 0; ; attempt++ {
		err := sendOnce(ctx, given.httpClient, request, answer)
		if err == nil {
			return nil
		}
		if eventID := eventOfKey(err); isUncertain && call.hasKey && eventID != "" {
			// An earlier attempt made the event, and its answer was lost.
			read := apiCall{method: http.MethodGet, path: call.path + "/{id}", inPath: []string{eventID}}
			if request, err = c.prepare(read, given); err == nil {
				err = sendOnce(ctx, given.httpClient, request, answer)
			}
			return err
		}
		if attempt >= given.maxRetries || !mayRepeat(call, err) {
			return err
		}
		var apiError *APIError
		isAnswered := errors.As(err, &apiError)
		isUncertain = isUncertain || !isAnswered || apiError.Status >= 500
		if err := c.pause(ctx, c.delay(attempt, apiError), err); err != nil {
			return err
		}
	}
}

// mayRepeat tells whether another attempt does no harm.
func mayRepeat(call apiCall, err error) bool {
	isHarmless := call.hasKey || slices.Contains(idempotent, call.method)
	switch failed := err.(type) {
	case *APIError:
		isHarmless = isHarmless || slices.Contains(refusals, failed.Status)
		return failed.Retryable() && isHarmless
	case *ConnectionError:
		return isHarmless
	}
	return false
}

func (c *core) delay(attempt int, apiError *APIError) time.Duration {
	backOff := min(float64(maxDelay), float64(firstDelay)*math.Pow(2, float64(attempt)))
	delay := time.Duration(backOff * (0.5 + c.random()/2))
	if apiError != nil {
		delay = max(delay, apiError.RetryAfter)
	}
	return delay
}

// pause waits, unless the call could not be answered in time after such a wait.
func (c *core) pause(ctx context.Context, duration time.Duration, last error) error {
	if deadline, ok := ctx.Deadline(); ok && ctx.Err() == nil && time.Until(deadline) <= duration {
		return timedOut(last)
	}
	select {
	case <-c.after(duration):
	case <-ctx.Done():
	}
	return endOf(ctx, last)
}

// endOf is the error of a call whose deadline has passed or whose caller gave up; else nil.
func endOf(ctx context.Context, last error) error {
	cause := context.Cause(ctx)
	switch {
	case ctx.Err() == nil:
		return nil
	case errors.Is(cause, context.DeadlineExceeded):
		return timedOut(last)
	}
	return fmt.Errorf("posthorn: %w: %w", ctx.Err(), cause)
}

// prepare makes the request that each attempt sends.
func (c *core) prepare(call apiCall, given settings) (*http.Request, error) {
	target, err := expand(c.baseURL, call)
	if err != nil {
		return nil, err
	}
	headers := http.Header{"Accept": {"application/json"}, "X-Api-Key": {c.apiKey}}
	if given.projectID != "" {
		headers.Set("X-Project-ID", given.projectID)
	}
	if given.subAccountID != "" {
		headers.Set("X-Sub-Account-ID", given.subAccountID)
	}
	if call.hasKey {
		headers.Set("X-Idempotency-Key", cmp.Or(given.idempotencyKey, rand.Text()))
	}
	var body bytes.Buffer
	if call.body != nil {
		headers.Set("Content-Type", "application/json")
		// As others write JSON: < and > stay as they are.
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(call.body); err != nil {
			return nil, fmt.Errorf("posthorn: the body cannot be written as JSON: %w", err)
		}
	}
	request, err := http.NewRequest(call.method, target, &body)
	if err != nil {
		return nil, fmt.Errorf("posthorn: the request cannot be made: %w", err)
	}
	request.Header = headers
	return request, nil
}

// expand makes the URL of a call. With an empty parameter it would be another route's.
func expand(baseURL string, call apiCall) (string, error) {
	path := call.path
	for _, value := range call.inPath {
		before, rest, _ := strings.Cut(path, "{")
		name, after, _ := strings.Cut(rest, "}")
		if value == "" || value == "." || value == ".." {
			return "", fmt.Errorf("posthorn: %q is no %s", value, name)
		}
		path = before + url.PathEscape(value) + after
	}
	if len(call.query) > 0 {
		path += "?" + call.query.Encode()
	}
	return baseURL + path, nil
}

// sendOnce is one attempt. It fails with an *APIError, a *ConnectionError or, when its context has
// ended, with endOf.
func sendOnce(ctx context.Context, client *http.Client, request *http.Request, answer any) error {
	attempt := request.Clone(ctx)
	attempt.Body, _ = request.GetBody() // of bytes in memory: it never fails
	response, err := client.Do(attempt)
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
		_ = response.Body.Close()
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return endOf(ctx, nil)
	case err != nil:
		return &ConnectionError{err}
	case response.StatusCode < 200 || response.StatusCode > 299:
		return toAPIError(response, text)
	case answer == nil || len(text) == 0:
		return nil
	case !json.Valid(text):
		return &ConnectionError{errors.New("it is cut off, or is no JSON")}
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("posthorn: the answer is not as this version knows it: %w", err)
	}
	return nil
}

func toAPIError(response *http.Response, text []byte) *APIError {
	var body struct {
		Error   string          `json:"error"`
		Code    string          `json:"code"`
		Details json.RawMessage `json:"details"`
	}
	// Where a proxy answered in the API's place, there may be no JSON.
	_ = json.Unmarshal(text, &body)
	status := response.StatusCode
	return &APIError{
		Status:     status,
		Code:       cmp.Or(body.Code, fmt.Sprintf("HTTP_%d", status)),
		Message:    cmp.Or(body.Error, fmt.Sprintf("the API answered %d", status)),
		Details:    body.Details,
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: readRetryAfter(response.Header.Get("Retry-After"), time.Now()),
	}
}

// readRetryAfter understands seconds and dates.
func readRetryAfter(text string, now time.Time) time.Duration {
	seconds, err := strconv.ParseUint(text, 10, 32)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// eventOfKey is the event that an idempotency key was used for, where an error says so.
func eventOfKey(err error) string {
	var apiError *APIError
	var details struct {
		EventID string `json:"eventId"`
	}
	if errors.As(err, &apiError) && apiError.Code == "CONFLICT" {
		// Details of another kind name no event.
		_ = json.Unmarshal(apiError.Details, &details)
	}
	return details.EventID
}
