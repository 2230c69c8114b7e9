package posthorn_test

import (
	"context"
	"errors"
	"iter"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/posthorn/posthorn-go"
	"github.com/posthorn/posthorn-go/webhooks"
)

const liveSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// The client against an installation that runs: what it sends arrives, verified and explained by it.
// POSTHORN_TEST_URL and POSTHORN_TEST_API_KEY name the installation.
func TestAgainstAnInstallation(t *testing.T) {
	url := os.Getenv("POSTHORN_TEST_URL")
	if url == "" {
		t.Skip("POSTHORN_TEST_URL names no installation")
	}
	client, err := posthorn.New(os.Getenv("POSTHORN_TEST_API_KEY"), url)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	endpoint := deliverLive(ctx, t, client)
	readAll(ctx, t, client, endpoint)
	changeLive(ctx, t, client, endpoint)
}

func must[Answer any](t *testing.T) func(answer Answer, err error) Answer {
	return func(answer Answer, err error) Answer {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
}

func deliverLive(ctx context.Context, t *testing.T, client *posthorn.Client) string {
	arrived := make(chan *webhooks.Event, 10)
	hooks := webhooks.Verifier{Secrets: []string{liveSecret}}
	receiver := httptest.NewServer(hooks.Handler(func(_ context.Context, event *webhooks.Event) error {
		arrived <- event
		return nil
	}))
	defer receiver.Close()
	endpoint := must[*posthorn.EndpointCreated](t)(client.Endpoints.Create(ctx, posthorn.CreateEndpoint{
		URL:           receiver.URL,
		EventTypes:    []string{"sdk.go"},
		SigningSecret: posthorn.Value(liveSecret),
		Filter:        posthorn.Value([]posthorn.FilterRule{{Field: "$.n", Operator: "gte", Value: 1}}),
	}))
	create := func(n int, options ...posthorn.Option) (*posthorn.EventCreated, error) {
		return client.Events.Create(ctx, posthorn.CreateEvent{
			EventType: "sdk.go",
			Payload:   map[string]any{"name": "Zoë <&>", "n": n},
		}, options...)
	}
	made := must[*posthorn.EventCreated](t)(create(1, posthorn.WithIdempotencyKey("go-1")))
	ids := []string{made.ID}
	for n := range 3 {
		ids = append(ids, must[*posthorn.EventCreated](t)(create(n+2)).ID)
	}
	got := map[string]string{}
	for len(got) < len(ids) {
		select {
		case event := <-arrived:
			got[event.ID] = string(event.Payload)
		case <-ctx.Done():
			t.Fatalf("of %v only these arrived: %v", ids, got)
		}
	}
	if want := `{"n":1,"name":"Zoë <&>"}`; got[made.ID] != want {
		t.Errorf("%s arrived, not %s", got[made.ID], want)
	}

	_, err := create(1, posthorn.WithIdempotencyKey("go-1"))
	var refused *posthorn.APIError
	if !errors.As(err, &refused) || refused.Code != "CONFLICT" || refused.RequestID == "" {
		t.Errorf("a key that was used before is answered with %v", err)
	}
	listed := []string{}
	params := posthorn.EventsListParams{EventType: "sdk.go", Limit: 2, From: time.Now().Add(-time.Hour)}
	for event, err := range client.Events.List(ctx, params) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, event.ID)
	}
	slices.Sort(ids)
	slices.Sort(listed)
	if !slices.Equal(ids, listed) {
		t.Errorf("the list has %v, not %v", listed, ids)
	}
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		// It fails with the context when that takes too long.
		event := must[*posthorn.EventDetail](t)(client.Events.Get(ctx, made.ID))
		if event.Status == "delivered" {
			break
		}
		<-look.C
	}
	explained := must[*posthorn.EventExplanation](t)(client.Events.Explain(ctx, made.ID))
	if len(explained.Endpoints) != 1 || explained.Endpoints[0].EndpointID != endpoint.ID {
		t.Errorf("the event is explained with %+v", explained)
	}
	if _, err = client.Endpoints.Get(ctx, made.ID); !errors.As(err, &refused) || refused.Code != "NOT_FOUND" {
		t.Errorf("an event for an endpoint is answered with %v", err)
	}
	return endpoint.ID
}

// What the API answers is of the types that it is said to have.
func readAll(ctx context.Context, t *testing.T, client *posthorn.Client, endpoint string) {
	all := func(name string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	one := func(name string) func(answer any, err error) {
		return func(_ any, err error) {
			t.Helper()
			all(name, err)
		}
	}
	all("events", drain(client.Events.List(ctx, posthorn.EventsListParams{})))
	all("endpoints", drain(client.Endpoints.List(ctx, posthorn.EndpointsListParams{})))
	all("versions", drain(client.Endpoints.ListVersions(ctx, endpoint, posthorn.EndpointsListVersionsParams{})))
	all("event types", drain(client.EventTypes.List(ctx, posthorn.EventTypesListParams{})))
	all("API keys", drain(client.APIKeys.List(ctx, posthorn.APIKeysListParams{})))
	all("projects", drain(client.Projects.List(ctx, posthorn.ProjectsListParams{})))
	all("audit logs", drain(client.AuditLogs.List(ctx, posthorn.AuditLogsListParams{})))
	all("members", drain(client.Team.List(ctx, posthorn.TeamListParams{})))
	all("sub-accounts", drain(client.SubAccounts.List(ctx, posthorn.SubAccountsListParams{})))
	all("alert rules", drain(client.Alerting.ListAlertRules(ctx, posthorn.AlertingListAlertRulesParams{})))
	all("connectors", drain(client.Connectors.List(ctx, posthorn.ConnectorsListParams{})))
	one("stats")(client.Stats.Get(ctx))
	one("me")(client.Me.Get(ctx))
	one("security")(client.Me.GetSecurity(ctx))
	one("entitlements")(client.Entitlements.Get(ctx))
	one("usage")(client.Usage.GetCurrent(ctx))
	one("history of usage")(client.Usage.GetHistory(ctx, posthorn.UsageGetHistoryParams{Months: 2}))
	one("summary")(client.Analytics.GetSummary(ctx, posthorn.AnalyticsGetSummaryParams{}))
	one("latency")(client.Analytics.GetLatency(ctx, posthorn.AnalyticsGetLatencyParams{}))
	one("failures")(client.Analytics.GetFailures(ctx, posthorn.AnalyticsGetFailuresParams{}))
	one("health")(client.Analytics.GetEndpointHealth(ctx, posthorn.AnalyticsGetEndpointHealthParams{}))
	one("rate limits")(client.Metrics.GetRateLimits(ctx))
	one("presets")(client.InboundPresets.List(ctx))
	one("secret")(client.SigningSecret.Get(ctx))
	one("addresses")(client.EgressIPs.List(ctx))
	one("settings")(client.SubAccountSettings.Get(ctx))
	one("plans")(client.Billing.ListPlans(ctx))
	deliveries := must[*posthorn.DeliveryPage](t)(client.Deliveries.List(ctx, posthorn.DeliveriesListParams{Limit: 1}))
	attempt := must[*posthorn.AttemptDetail](t)(client.Deliveries.Get(ctx, deliveries.Data[0].ID))
	if attempt.StatusCode != 204 || attempt.AttemptedAt.IsZero() {
		t.Errorf("the attempt is %+v", attempt)
	}
}

func drain[Item any](list iter.Seq2[Item, error]) error {
	_, err := posthorn.Collect(list, 1000)
	return err
}

func changeLive(ctx context.Context, t *testing.T, client *posthorn.Client, id string) {
	changed := must[*posthorn.Endpoint](t)(client.Endpoints.Update(ctx, id, posthorn.UpdateEndpoint{
		Filter:          posthorn.Null[[]posthorn.FilterRule](),
		Description:     posthorn.Value("changed"),
		RateLimitPerSec: posthorn.Ptr(7),
		FIFO:            posthorn.Ptr(true),
	}))
	if changed.Filter != nil || *changed.Description != "changed" || changed.RateLimitPerSec != 7 || !changed.FIFO {
		t.Errorf("the endpoint is %+v", changed)
	}
	diff := must[*posthorn.VersionDiff](t)(
		client.Endpoints.DiffVersions(ctx, id, posthorn.EndpointsDiffVersionsParams{V1: 1, V2: changed.Version}),
	)
	if len(diff.Changes) != 4 {
		t.Errorf("the versions differ in %+v", diff.Changes)
	}
	back := must[*posthorn.Endpoint](t)(client.Endpoints.Rollback(ctx, id, 1))
	if back.FIFO || len(back.Filter) != 1 {
		t.Errorf("the endpoint is back at %+v", back)
	}
	rotated := must[*posthorn.EndpointRotated](t)(client.Endpoints.RotateSecret(ctx, id, posthorn.RotateSecret{}))
	if rotated.ID != id {
		t.Errorf("the rotation is answered with %+v", rotated)
	}
	kind := must[*posthorn.EventType](t)(client.EventTypes.Create(ctx, posthorn.CreateEventType{
		Name:   "sdk.go/typed",
		Schema: posthorn.Value[any](map[string]any{"type": "object", "required": []string{"n"}}),
	}))
	if again := must[*posthorn.EventType](t)(client.EventTypes.GetByName(ctx, kind.Name)); again.ID != kind.ID {
		t.Errorf("by its name there is %+v", again)
	}
	if err := client.EventTypes.Delete(ctx, kind.ID); err != nil {
		t.Error(err)
	}
	if err := client.Endpoints.Delete(ctx, id); err != nil {
		t.Error(err)
	}
}
