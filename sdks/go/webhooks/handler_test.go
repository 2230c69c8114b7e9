package webhooks

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

var body = []byte(`{"orderId":"o_1"}`)

func deliver(t *testing.T, to http.Handler, body []byte, headers http.Header) *http.Response {
	t.Helper()
	server := httptest.NewServer(to)
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), "POST", server.URL, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = headers
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response
}

func TestHandler(t *testing.T) {
	hooks := Verifier{Secrets: []string{newest}}
	for _, one := range []struct {
		name    string
		hooks   Verifier
		body    []byte
		headers http.Header
		fails   error
		status  int
		calls   int
	}{
		{"what is signed", hooks, body, hooks.Sign("e1", body), nil, 204, 1},
		{"where the receiver fails", hooks, body, hooks.Sign("e1", body), errors.New("no"), 500, 1},
		{"what was changed", hooks, []byte(`{}`), hooks.Sign("e1", body), nil, 401, 0},
		{"what is not signed", hooks, body, http.Header{}, nil, 401, 0},
		{"without a secret", Verifier{}, body, hooks.Sign("e1", body), nil, 500, 0},
		{"what is too large", hooks, make([]byte, maxBodyBytes+1), http.Header{}, nil, 413, 0},
	} {
		t.Run(one.name, func(t *testing.T) {
			calls := 0
			handler := one.hooks.Handler(func(_ context.Context, event *Event) error {
				calls++
				if event.ID != "e1" || !bytes.Equal(event.Payload, body) {
					t.Errorf("got %+v", event)
				}
				return one.fails
			})
			response := deliver(t, handler, one.body, one.headers)
			if response.StatusCode != one.status || calls != one.calls {
				t.Errorf("got %d after %d calls", response.StatusCode, calls)
			}
		})
	}
}

func TestMiddleware(t *testing.T) {
	hooks := Verifier{Secrets: []string{newest}}
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		again, err := io.ReadAll(r.Body)
		if err != nil || !bytes.Equal(again, body) {
			t.Errorf("got %q, %v", again, err)
		}
		w.Header().Set("X-Event", FromContext(r.Context()).ID)
		w.WriteHeader(http.StatusAccepted)
	})
	response := deliver(t, hooks.Middleware(next), body, hooks.Sign("e1", body))
	if response.StatusCode != http.StatusAccepted || response.Header.Get("X-Event") != "e1" {
		t.Errorf("got %v", response)
	}
	if FromContext(t.Context()) != nil {
		t.Error("there is an event without a webhook")
	}
}

func TestABodyThatBreaksOff(t *testing.T) {
	request := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader("{"), broken{}))
	recorder := httptest.NewRecorder()
	Verifier{Secrets: []string{newest}}.Middleware(nil).ServeHTTP(recorder, request)
	if recorder.Code != http.StatusBadRequest {
		t.Errorf("got %d", recorder.Code)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
