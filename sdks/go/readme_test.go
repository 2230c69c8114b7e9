// What the README shows, run against a server that answers as the API does.
package posthorn_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/posthorn/posthorn-go"
	"github.com/posthorn/posthorn-go/webhooks"
)

func main() {
	ctx := context.Background()
	client, err := posthorn.New(os.Getenv("POSTHORN_API_KEY"), os.Getenv("POSTHORN_URL"))
	if err != nil {
		log.Fatal(err)
	}

	endpoint, err := client.Endpoints.Create(ctx, posthorn.CreateEndpoint{
		URL:        "https://example.com/webhooks",
		EventTypes: []string{"order.*"},
	})
	if err != nil {
		log.Fatal(err)
	}
	event, err := client.Events.Create(ctx, posthorn.CreateEvent{
		EventType: "order.paid",
		Payload:   map[string]any{"orderId": "o_1", "amount": 1250},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(endpoint.ID, event.ID, event.Status)

	for dead, err := range client.Events.List(ctx, posthorn.EventsListParams{Status: "dead"}) {
		if err != nil {
			log.Fatal(err)
		}
		if _, err := client.Events.Replay(ctx, dead.ID); err != nil {
			log.Fatal(err)
		}
	}
}

func newReceiver(secrets ...string) http.Handler {
	hooks := webhooks.Verifier{Secrets: secrets}
	mux := http.NewServeMux()
	mux.Handle("POST /webhooks", hooks.Handler(func(ctx context.Context, event *webhooks.Event) error {
		var order struct {
			OrderID string `json:"orderId"`
		}
		if err := event.Decode(&order); err != nil {
			return err
		}
		fmt.Println(event.ID, order.OrderID)
		return nil
	}))
	return mux
}

func liftLimit(ctx context.Context, client *posthorn.Client, id string) error {
	_, err := client.Endpoints.Update(ctx, id, posthorn.UpdateEndpoint{
		RateLimitPerSec: posthorn.Ptr(0),
		Description:     posthorn.Null[string](),
		Transformation:  posthorn.Value("return event"),
	})
	var refused *posthorn.APIError
	if errors.As(err, &refused) {
		log.Println(refused.Code, refused.RequestID, refused.Retryable())
	}
	return err
}

func startAPI() *httptest.Server {
	answers := map[string]string{
		"POST /api/v1/endpoints":         `{"id":"ep_1"}`,
		"POST /api/v1/events":            `{"id":"e_1","status":"queued"}`,
		"GET /api/v1/events":             `{"data":[{"id":"e_0"}],"pagination":{"hasMore":false,"cursor":null}}`,
		"POST /api/v1/events/e_0/replay": `{"id":"e_0"}`,
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, isThere := answers[r.Method+" "+r.URL.Path]
		if !isThere || r.Header.Get("X-API-Key") != "ph_test_key" {
			w.Header().Set("X-Request-Id", "r_1")
			http.Error(w, `{"error":"there is no such endpoint","code":"NOT_FOUND"}`, http.StatusNotFound)
			return
		}
		_, _ = w.Write([]byte(answer))
	}))
}

func Example() {
	api := startAPI()
	defer api.Close()
	_ = os.Setenv("POSTHORN_API_KEY", "ph_test_key")
	_ = os.Setenv("POSTHORN_URL", api.URL)
	main()
	// Output: ep_1 e_1 queued
}

func Example_receiver() {
	const secret = "whsec_cG9zdGhvcm4gdmVjdG9ycywgMjQgYnl0"
	receiver := httptest.NewServer(newReceiver(secret))
	defer receiver.Close()
	body := []byte(`{"orderId":"o_1"}`)
	for _, sender := range []string{secret, "another"} {
		request, _ := http.NewRequest("POST", receiver.URL+"/webhooks", bytes.NewReader(body))
		request.Header = webhooks.Verifier{Secrets: []string{sender}}.Sign("e_1", body)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		_ = response.Body.Close()
		fmt.Println(response.StatusCode)
	}
	// Output:
	// e_1 o_1
	// 204
	// 401
}

func Example_errors() {
	api := startAPI()
	defer api.Close()
	log.SetFlags(0)
	log.SetOutput(os.Stdout)
	defer log.SetOutput(os.Stderr)
	client, _ := posthorn.New("ph_test_key", api.URL, posthorn.WithTimeout(time.Minute))
	fmt.Println(liftLimit(context.Background(), client, "ep_2"))
	// Output:
	// NOT_FOUND r_1 false
	// posthorn: there is no such endpoint (NOT_FOUND, status 404)
}

// Each block of the README is in this file as it is there, but for its package and imports.
func TestTheREADMEShowsWhatRuns(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	if len(blocks) != 3 {
		t.Fatalf("the README has %d blocks", len(blocks))
	}
	head := regexp.MustCompile(`(?s)^package main\n\nimport \(\n.*?\n\)\n\n`)
	for _, block := range blocks {
		code := head.ReplaceAllString(block[1], "")
		if !strings.Contains(string(here), "\n"+code) {
			t.Errorf("this is not in readme_test.go:\n%s", code)
		}
	}
}
