// The client against a server that fails in every way that a network and an API can.
package posthorn

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

type answerer func(w http.ResponseWriter, r *http.Request)

type received struct {
	method, url, body string
	headers           http.Header
}

// faulty answers each request with the next of its answers. The client's waits take no time: they
// are noted instead.
type faulty struct {
	client *Client
	url    string

	mutex    sync.Mutex
	answers  []answerer
	requests []received
	waits    []time.Duration
}

func startFaulty(t *testing.T, options ...Option) *faulty {
	t.Helper()
	f := &faulty{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f.mutex.Lock()
		f.requests = append(f.requests, received{r.Method, r.RequestURI, string(body), r.Header})
		answer := answers(500, `{"error":"no answer is left","code":"TEST"}`)
		if len(f.answers) > 0 {
			answer, f.answers = f.answers[0], f.answers[1:]
		}
		f.mutex.Unlock()
		answer(w, r)
	}))
	// One connection an attempt: Go's own client repeats what a kept one loses.
	transport := &http.Transport{DisableKeepAlives: true}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.CloseClientConnections()
		server.Close()
	})
	given := append([]Option{WithHTTPClient(&http.Client{Transport: transport})}, options...)
	client, err := New("ph_test_key", server.URL+"/", given...)
	if err != nil {
		t.Fatal(err)
	}
	core := client.Events.core
	core.random = func() float64 { return 0.5 }
	core.after = func(duration time.Duration) <-chan time.Time {
		f.waits = append(f.waits, duration)
		over := make(chan time.Time)
		close(over)
		return over
	}
	f.client, f.url = client, server.URL
	return f
}

func (f *faulty) will(answers ...answerer) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.answers = append(f.answers, answers...)
}

func (f *faulty) got() []received {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return append([]received{}, f.requests...)
}

func answers(status int, body string, headers ...string) answerer {
	return func(w http.ResponseWriter, _ *http.Request) {
		for at := 0; at+1 < len(headers); at += 2 {
			w.Header().Set(headers[at], headers[at+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// reset breaks the connection off.
func reset(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// never answers until its client has gone.
func never(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// cut promises more than it sends.
func cut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, `{"id":`)
}

func tooMany(after string) answerer {
	return answers(429, `{"error":"too many","code":"RATE_LIMITED"}`, "Retry-After", after)
}

const made = `{"id":"e1","status":"queued","createdAt":"2026-01-01T00:00:00.000Z"}`

var event = CreateEvent{EventType: "order.paid", Payload: map[string]int{"n": 1}}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
}

func is[Wanted error](t *testing.T, err error) Wanted {
	t.Helper()
	var wanted Wanted
	if !errors.As(err, &wanted) {
		t.Fatalf("got the error %v (%T), want a %T", err, err, wanted)
	}
	return wanted
}

func TestAnEventKeepsOneKeyUntilItIsAccepted(t *testing.T) {
	f := startFaulty(t)
	f.will(reset, answers(500, "{}"), answers(503, "{}"), answers(201, made))
	got, err := f.client.Events.Create(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got.ID, "e1")
	equal(t, got.CreatedAt, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	keys := map[string]bool{}
	for _, request := range f.got() {
		keys[request.headers.Get("X-Idempotency-Key")] = true
		equal(t, []string{request.method, request.url}, []string{"POST", "/api/v1/events"})
		equal(t, request.body, `{"eventType":"order.paid","payload":{"n":1}}`+"\n")
	}
	equal(t, len(f.got()), 4)
	equal(t, len(keys), 1)
	equal(t, keys[""], false)
	equal(t, f.waits, []time.Duration{187500 * time.Microsecond, 375 * time.Millisecond, 750 * time.Millisecond})

	f.will(answers(201, made))
	if _, err = f.client.Events.Create(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	equal(t, keys[f.got()[4].headers.Get("X-Idempotency-Key")], false)
}

func TestAnEventWhoseAnswerWasLostIsRead(t *testing.T) {
	used := answers(409, `{"error":"used before","code":"CONFLICT","details":{"eventId":"e1"}}`)
	for name, lost := range map[string]answerer{
		"by a reset": reset, "by an error": answers(500, "{}"), "in the middle": cut,
	} {
		t.Run(name, func(t *testing.T) {
			f := startFaulty(t)
			f.will(lost, used, answers(200, made))
			got, err := f.client.Events.Create(t.Context(), event)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got.ID, "e1")
			read := f.got()[2]
			equal(t, []string{read.method, read.url, read.body}, []string{"GET", "/api/v1/events/e1", ""})
			equal(t, read.headers.Get("X-Idempotency-Key"), "")
		})
	}
	t.Run("not where no answer was lost", func(t *testing.T) {
		f := startFaulty(t)
		f.will(used)
		_, err := f.client.Events.Create(t.Context(), event, WithIdempotencyKey("mine"))
		refused := is[*APIError](t, err)
		equal(t, []any{refused.Status, refused.Code}, []any{409, "CONFLICT"})
		equal(t, string(refused.Details), `{"eventId":"e1"}`)
		equal(t, f.got()[0].headers.Get("X-Idempotency-Key"), "mine")
		equal(t, len(f.got()), 1)
	})
	t.Run("not after refusals alone", func(t *testing.T) {
		f := startFaulty(t)
		f.will(tooMany("0"), answers(408, "{}"), used)
		_, err := f.client.Events.Create(t.Context(), event)
		equal(t, is[*APIError](t, err).Code, "CONFLICT")
		equal(t, len(f.got()), 3)
	})
}

func TestRetryAfterIsWaitedFor(t *testing.T) {
	f := startFaulty(t)
	f.will(tooMany("7"), tooMany("nonsense"), tooMany("0"), answers(200, `{"id":"c1"}`))
	if _, err := f.client.Me.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, f.waits, []time.Duration{7 * time.Second, 375 * time.Millisecond, 750 * time.Millisecond})

	f.will(reset, tooMany("9"), answers(200, "{}"))
	if _, err := f.client.Me.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, f.waits[3:], []time.Duration{187500 * time.Microsecond, 9 * time.Second})

	f.will(tooMany("3600"))
	_, err := f.client.Me.Get(t.Context())
	is[*TimeoutError](t, err)
	equal(t, is[*APIError](t, err).RetryAfter, time.Hour)
	equal(t, errors.Is(err, context.DeadlineExceeded), true)
	equal(t, len(f.waits), 5)
	equal(t, len(f.got()), 8)
}

func TestRetryAfterIsSecondsOrADate(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"":                              0,
		"12":                            12 * time.Second,
		"-1":                            0,
		"99999999999999999999":          math.MaxUint32 * time.Second,
		"Thu, 01 Jan 2026 00:01:00 GMT": time.Minute,
		"Wed, 31 Dec 2025 00:00:00 GMT": 0,
	} {
		equal(t, readRetryAfter(text, now), want)
	}
}

func TestBackOffGrowsToItsMaximum(t *testing.T) {
	c := &core{random: func() float64 { return 0 }}
	equal(t, c.delay(0, nil), 125*time.Millisecond)
	equal(t, c.delay(3, nil), time.Second)
	c.random = func() float64 { return math.Nextafter(1, 0) }
	for _, attempt := range []int{5, 10, 2000} {
		if delay := c.delay(attempt, nil); delay > maxDelay || delay < maxDelay-time.Microsecond {
			t.Fatalf("attempt %d waits %v", attempt, delay)
		}
	}
}

func TestWhatMayBeRepeated(t *testing.T) {
	create := func(c *Client) error {
		_, err := c.Endpoints.Create(context.Background(), CreateEndpoint{URL: "https://example.com/"})
		return err
	}
	change := func(c *Client) error {
		_, err := c.Endpoints.Update(context.Background(), "x", UpdateEndpoint{})
		return err
	}
	put := func(c *Client) error {
		_, err := c.EventTypes.Update(context.Background(), "x", UpdateEventType{})
		return err
	}
	remove := func(c *Client) error { return c.Endpoints.Delete(context.Background(), "x") }
	send := func(c *Client) error {
		_, err := c.Events.Create(context.Background(), event)
		return err
	}
	read := func(c *Client) error {
		_, err := c.Me.Get(context.Background())
		return err
	}
	redirect := answers(302, "", "Location", "/elsewhere")
	tests := []struct {
		name       string
		call       func(*Client) error
		first      answerer
		isRepeated bool
	}{
		{"a change that may have been made: no answer", create, reset, false},
		{"a change that may have been made: an error", create, answers(500, "{}"), false},
		{"a change that may have been made: a proxy's", create, answers(502, "{}"), false},
		{"a part of a record", change, answers(500, "{}"), false},
		{"a change that was refused: 503", create, answers(503, "{}"), true},
		{"a change that was refused: 429", create, tooMany("0"), true},
		{"a change that was refused: 408", create, answers(408, "{}"), true},
		{"a whole record", put, answers(500, "{}"), true},
		{"a deletion", remove, reset, true},
		{"an event", send, cut, true},
		{"a read: no answer", read, reset, true},
		{"a read: half of one", read, cut, true},
		{"a read: no JSON", read, answers(200, "<html>"), true},
		{"a read: an error", read, answers(504, "{}"), true},
		{"a read: a redirect", read, redirect, true},
		{"what is wrong", read, answers(400, "{}"), false},
		{"what is not there", read, answers(404, "{}"), false},
		{"an answer of another kind", read, answers(200, `{"id":1}`), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := startFaulty(t)
			f.will(test.first, answers(200, `{"id":"x"}`))
			err := test.call(f.client)
			equal(t, err == nil, test.isRepeated)
			equal(t, len(f.got()), map[bool]int{false: 1, true: 2}[test.isRepeated])
		})
	}
}

func TestErrorsSayWhatHappened(t *testing.T) {
	f := startFaulty(t)
	f.will(answers(400, `{"error":"url is missing","code":"BAD_REQUEST","details":[{"path":"url"}]}`,
		"X-Request-Id", "r1"))
	_, err := f.client.Me.Get(t.Context())
	equal(t, *is[*APIError](t, err), APIError{
		Status: 400, Code: "BAD_REQUEST", Message: "url is missing",
		Details: json.RawMessage(`[{"path":"url"}]`), RequestID: "r1",
	})
	equal(t, err.Error(), "posthorn: url is missing (BAD_REQUEST, status 400)")
	equal(t, is[*APIError](t, err).Retryable(), false)

	f.will(answers(404, "<html>no such page</html>"))
	_, err = f.client.Me.Get(t.Context())
	equal(t, err.Error(), "posthorn: the API answered 404 (HTTP_404, status 404)")

	f.will(answers(200, "{"), answers(200, "{"))
	_, err = f.client.Me.Get(t.Context(), WithMaxRetries(1))
	is[*ConnectionError](t, err)
	equal(t, err.Error(), "posthorn: no answer: it is cut off, or is no JSON")
}

func TestRetriesEnd(t *testing.T) {
	f := startFaulty(t)
	f.will(reset)
	_, err := f.client.Me.Get(t.Context(), WithMaxRetries(0))
	is[*ConnectionError](t, err)
	f.will(reset, reset)
	_, err = f.client.Me.Get(t.Context(), WithMaxRetries(1))
	equal(t, is[*ConnectionError](t, err).Retryable(), true)
	is[*url.Error](t, err)
	equal(t, len(f.got()), 3)
	_, err = f.client.Me.Get(t.Context())
	equal(t, is[*APIError](t, err).Retryable(), true)
	equal(t, len(f.got()), 7)
}

func TestACallEndsWithItsDeadline(t *testing.T) {
	f := startFaulty(t)
	f.will(never)
	_, err := f.client.Me.Get(t.Context(), WithTimeout(50*time.Millisecond))
	equal(t, is[*TimeoutError](t, err).Retryable(), true)
	equal(t, errors.Is(err, context.DeadlineExceeded), true)

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	f.will(never)
	_, err = f.client.Me.Get(ctx)
	is[*TimeoutError](t, err)
	equal(t, len(f.got()), 2)
}

func TestACallEndsWithItsCaller(t *testing.T) {
	f := startFaulty(t)
	reason := errors.New("the caller left")
	ctx, cancel := context.WithCancelCause(t.Context())
	f.will(func(w http.ResponseWriter, r *http.Request) {
		cancel(reason)
		never(w, r)
	})
	for range 2 {
		_, err := f.client.Me.Get(ctx)
		equal(t, errors.Is(err, context.Canceled), true)
		equal(t, errors.Is(err, reason), true)
	}
	equal(t, len(f.got()), 1)

	// Also while it waits.
	ctx, leave := context.WithCancel(t.Context())
	f.client.Me.core.after = func(time.Duration) <-chan time.Time {
		leave()
		return nil
	}
	f.will(answers(500, "{}"))
	_, err := f.client.Me.Get(ctx)
	equal(t, errors.Is(err, context.Canceled), true)
	equal(t, len(f.got()), 2)
}

func pageOf(cursor string, ids ...string) answerer {
	events := []string{}
	for _, id := range ids {
		events = append(events, `{"id":"`+id+`"}`)
	}
	next := `null`
	if cursor != "" {
		next = `"` + cursor + `"`
	}
	return answers(200, `{"data":[`+strings.Join(events, ",")+`],"pagination":{"hasMore":`+
		map[bool]string{false: "false", true: "true"}[cursor != ""]+`,"cursor":`+next+`}}`)
}

func TestAListGoesThroughItsPages(t *testing.T) {
	f := startFaulty(t)
	list := f.client.Events.List(t.Context(), EventsListParams{Status: "dead", Limit: 2})
	for range 2 {
		f.will(pageOf("c1", "a", "b"), pageOf("c2"), tooMany("0"), pageOf("", "c"))
		ids := []string{}
		for event, err := range list {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, event.ID)
		}
		equal(t, ids, []string{"a", "b", "c"})
	}
	urls := []string{}
	for _, request := range f.got() {
		urls = append(urls, request.url)
	}
	once := []string{
		"/api/v1/events?limit=2&status=dead",
		"/api/v1/events?cursor=c1&limit=2&status=dead",
		"/api/v1/events?cursor=c2&limit=2&status=dead",
		"/api/v1/events?cursor=c2&limit=2&status=dead",
	}
	equal(t, urls, append(once, once...))

	f.will(pageOf("c1", "a", "b"))
	for range list {
		break
	}
	equal(t, len(f.got()), 9)

	f.will(pageOf("c1", "a", "b"))
	_, err := Collect(f.client.Events.List(t.Context(), EventsListParams{}), 1)
	equal(t, err.Error(), "posthorn: the list has more than 1 records")

	f.will(pageOf("c1", "a", "b"), answers(403, "{}"))
	all, err := Collect(f.client.Events.List(t.Context(), EventsListParams{}), 10)
	equal(t, is[*APIError](t, err).Status, 403)
	equal(t, len(all), 2)

	f.will(pageOf("c5", "d"))
	page, err := f.client.Events.ListPage(t.Context(), EventsListParams{Cursor: "c4"})
	equal(t, []any{err, page.Data[0].ID, page.Next()}, []any{nil, "d", "c5"})
}

func TestHeadersAndPathsCarryAnyText(t *testing.T) {
	f := startFaulty(t, WithProject("p0"))
	f.will(answers(200, "{}"), answers(204, ""))
	_, err := f.client.EventTypes.GetByName(t.Context(), "a/b c", WithSubAccount("Zoë"), WithProject("p1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.client.Endpoints.Delete(t.Context(), "ü?"); err != nil {
		t.Fatal(err)
	}
	first, second := f.got()[0], f.got()[1]
	equal(t, first.url, "/api/v1/event-types/by-name/a%2Fb%20c")
	equal(t, second.url, "/api/v1/endpoints/%C3%BC%3F")
	for name, want := range map[string]string{
		"X-Sub-Account-Id": "Zoë", "X-Project-Id": "p1", "X-Api-Key": "ph_test_key",
		"Content-Type": "", "Accept": "application/json",
	} {
		equal(t, first.headers.Get(name), want)
	}
	equal(t, second.headers.Get("X-Project-Id"), "p0")

	for _, id := range []string{"", ".", ".."} {
		if err := f.client.Endpoints.Delete(t.Context(), id); err == nil {
			t.Fatalf("%q is taken for an id", id)
		}
	}
	equal(t, len(f.got()), 2)
}

func TestTheAPIKeyGoesNowhereElse(t *testing.T) {
	f, other := startFaulty(t), startFaulty(t)
	f.will(answers(307, "", "Location", other.url))
	_, err := f.client.Me.Get(t.Context(), WithMaxRetries(0))
	is[*ConnectionError](t, err)
	equal(t, len(other.got()), 0)
}

func TestABodySaysWhatIsLeftOutNullAndZero(t *testing.T) {
	f := startFaulty(t)
	f.will(answers(200, "{}"), answers(201, "{}"))
	_, err := f.client.Endpoints.Update(t.Context(), "x", UpdateEndpoint{
		Description:     Null[string](),
		Transformation:  Value("return event"),
		FIFO:            Ptr(false),
		RateLimitPerSec: Ptr(0),
		Filter:          Value([]FilterRule{{Field: "$.a", Operator: "gt", Value: 1.5}}),
		EventTypes:      []string{},
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, f.got()[0].body, `{"eventTypes":[],"description":null,`+
		`"filter":[{"field":"$.a","operator":"gt","value":1.5}],"transformation":"return event",`+
		`"fifo":false,"rateLimitPerSec":0}`+"\n")
	at := time.Date(2026, 1, 1, 1, 0, 0, 1e6, time.FixedZone("", 3600))
	_, err = f.client.Endpoints.Replay(t.Context(), "x", CreateReplay{Since: at, Status: []string{"dead"}})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, f.got()[1].body, `{"since":"2026-01-01T01:00:00.001+01:00","status":["dead"]}`+"\n")
	f.will(pageOf(""))
	if _, err = f.client.Events.ListPage(t.Context(), EventsListParams{From: at}); err != nil {
		t.Fatal(err)
	}
	equal(t, f.got()[2].url, "/api/v1/events?from=2026-01-01T00%3A00%3A00.001Z")

	f.will(answers(201, made))
	_, err = f.client.Events.Create(t.Context(), CreateEvent{Payload: map[string]string{"a": "<&>"}})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, f.got()[3].body, `{"payload":{"a":"<&>"}}`+"\n")

	_, err = f.client.Events.Create(t.Context(), CreateEvent{Payload: math.NaN()})
	if err == nil {
		t.Fatal("what is no JSON was sent")
	}
	equal(t, len(f.got()), 4)
}

func TestOptionsAreChecked(t *testing.T) {
	const base = "https://hooks.example.com"
	for want, make := range map[string]func() (*Client, error){
		"API key":           func() (*Client, error) { return New("", base) },
		"is none":           func() (*Client, error) { return New("k\n", base) },
		"base URL":          func() (*Client, error) { return New("k", "hooks.example.com") },
		"http(s)":           func() (*Client, error) { return New("k", "ftp://hooks.example.com") },
		"retries":           func() (*Client, error) { return New("k", base, WithMaxRetries(-1)) },
		"timeout":           func() (*Client, error) { return New("k", base, WithTimeout(0)) },
		"control character": func() (*Client, error) { return New("k", base, WithProject("a\nb")) },
		"of one call":       func() (*Client, error) { return New("k", base, WithIdempotencyKey("a")) },
	} {
		client, err := make()
		if client != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got the error %v, which does not say %q", err, want)
		}
	}
	f := startFaulty(t)
	if _, err := f.client.Me.Get(t.Context(), WithTimeout(-1)); err == nil {
		t.Error("a timeout below 0 is taken")
	}
	equal(t, len(f.got()), 0)
}

func TestOneClientServesManyAtOnce(t *testing.T) {
	f := startFaulty(t)
	var all sync.WaitGroup
	for range 20 {
		f.will(answers(201, made))
	}
	for range 20 {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, err := f.client.Events.Create(t.Context(), event); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	keys := map[string]bool{}
	for _, request := range f.got() {
		keys[request.headers.Get("X-Idempotency-Key")] = true
	}
	equal(t, len(keys), 20)
}
