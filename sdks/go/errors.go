package posthorn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// APIError says that the API answered with an error.
type APIError struct {
	Status int
	// Code is the API's word for it, as NOT_FOUND.
	Code    string
	Message string
	// Details is what the API says besides: the fields at fault, or how much of a quota is used.
	Details json.RawMessage
	// RequestID names the request in the logs of the installation.
	RequestID string
	// RetryAfter is how long the API asks to wait; 0 where it does not say.
	RetryAfter time.Duration
}

func (e *APIError) Error() string {
	return fmt.Sprintf("posthorn: %s (%s, status %d)", e.Message, e.Code, e.Status)
}

// Retryable tells whether the same call may succeed later.
func (e *APIError) Retryable() bool {
	return e.Status == 408 || e.Status == 429 || e.Status >= 500
}

// ConnectionError says that no answer came; what it wraps tells why.
type ConnectionError struct{ cause error }

func (e *ConnectionError) Error() string { return "posthorn: no answer: " + e.cause.Error() }
func (e *ConnectionError) Unwrap() error { return e.cause }

// Retryable is always true.
func (e *ConnectionError) Retryable() bool { return true }

// TimeoutError says that a call did not end within its deadline, all attempts together. It wraps
// context.DeadlineExceeded and, where an attempt ended before, that attempt's error.
type TimeoutError struct{ cause error }

func timedOut(last error) error { return &TimeoutError{errors.Join(context.DeadlineExceeded, last)} }

func (e *TimeoutError) Error() string { return "posthorn: the call did not end within its deadline" }
func (e *TimeoutError) Unwrap() error { return e.cause }

// Retryable is always true.
func (e *TimeoutError) Retryable() bool { return true }
