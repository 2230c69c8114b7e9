package webhooks

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
)

// Several times the largest payload that an installation takes as it comes.
const maxBodyBytes = 8 << 20

type contextKey struct{}

// FromContext is the event of a request that Middleware let through; else nil.
func FromContext(ctx context.Context) *Event {
	event, _ := ctx.Value(contextKey{}).(*Event)
	return event
}

// Middleware lets verified webhooks through, with their event in the context and their body to be
// read again. It answers others with 401, and 500 where it has no secret.
func (v Verifier) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err != nil {
			refuse(w, err, http.StatusBadRequest)
			return
		}
		event, err := v.Verify(body, r.Header)
		if err != nil {
			refuse(w, err, http.StatusInternalServerError)
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), contextKey{}, event))
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// Handler calls receive for each verified webhook. It answers 204, or 500 where receive fails, so
// that the delivery is attempted again.
func (v Verifier) Handler(receive func(context.Context, *Event) error) http.Handler {
	return v.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := receive(r.Context(), FromContext(r.Context())); err != nil {
			refuse(w, nil, http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
}

// refuse tells a stranger nothing of the reason.
func refuse(w http.ResponseWriter, err error, status int) {
	var tooLarge *http.MaxBytesError
	var refused *VerificationError
	if errors.As(err, &tooLarge) {
		status = http.StatusRequestEntityTooLarge
	} else if errors.As(err, &refused) {
		status = http.StatusUnauthorized
	}
	http.Error(w, http.StatusText(status), status)
}
