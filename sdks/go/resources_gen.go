// Code generated from the route catalog by `npm run sdks`; DO NOT EDIT.

package posthorn

import (
	"context"
	"iter"
	"net/url"
	"strconv"
	"time"
)

// Client has all resources of the API. It may be used by many goroutines at once.
type Client struct {
	Events             EventsResource
	Deliveries         DeliveriesResource
	Poll               PollResource
	Endpoints          EndpointsResource
	EgressIPs          EgressIPsResource
	SigningSecret      SigningSecretResource
	Replays            ReplaysResource
	Transformations    TransformationsResource
	EventTypes         EventTypesResource
	InboundEndpoints   InboundEndpointsResource
	InboundPresets     InboundPresetsResource
	APIKeys            APIKeysResource
	Projects           ProjectsResource
	AuditLogs          AuditLogsResource
	Me                 MeResource
	Entitlements       EntitlementsResource
	Usage              UsageResource
	Analytics          AnalyticsResource
	Stats              StatsResource
	Metrics            MetricsResource
	Team               TeamResource
	SubAccounts        SubAccountsResource
	SubAccountSettings SubAccountSettingsResource
	SSO                SSOResource
	SCIMTokens         SCIMTokensResource
	Billing            BillingResource
	Alerting           AlertingResource
	AlertRules         AlertRulesResource
	Connectors         ConnectorsResource
}

func newClient(core *core) *Client {
	c := &Client{}
	c.Events = EventsResource{core}
	c.Deliveries = DeliveriesResource{core}
	c.Poll = PollResource{core}
	c.Endpoints = EndpointsResource{core}
	c.EgressIPs = EgressIPsResource{core}
	c.SigningSecret = SigningSecretResource{core}
	c.Replays = ReplaysResource{core}
	c.Transformations = TransformationsResource{core}
	c.EventTypes = EventTypesResource{core}
	c.InboundEndpoints = InboundEndpointsResource{core}
	c.InboundPresets = InboundPresetsResource{core}
	c.APIKeys = APIKeysResource{core}
	c.Projects = ProjectsResource{core}
	c.AuditLogs = AuditLogsResource{core}
	c.Me = MeResource{core}
	c.Entitlements = EntitlementsResource{core}
	c.Usage = UsageResource{core}
	c.Analytics = AnalyticsResource{core}
	c.Stats = StatsResource{core}
	c.Metrics = MetricsResource{core}
	c.Team = TeamResource{core}
	c.SubAccounts = SubAccountsResource{core}
	c.SubAccountSettings = SubAccountSettingsResource{core}
	c.SSO = SSOResource{core}
	c.SCIMTokens = SCIMTokensResource{core}
	c.Billing = BillingResource{core}
	c.Alerting = AlertingResource{core}
	c.AlertRules = AlertRulesResource{core}
	c.Connectors = ConnectorsResource{core}
	return c
}

// EventsResource has the calls of the API under /api/v1/events.
type EventsResource struct{ core *core }

// Create calls POST /api/v1/events: Accept an event, for one destination or for every endpoint
// subscribed to its type.
func (r EventsResource) Create(ctx context.Context, body CreateEvent, options ...Option) (*EventCreated, error) {
	return send[EventCreated](ctx, r.core, apiCall{method: "POST", path: "/api/v1/events", body: body, hasKey: true}, options)
}

// CreateBatch calls POST /api/v1/events/batch: Accept up to 100 direct events, all or none.
func (r EventsResource) CreateBatch(ctx context.Context, body CreateBatch, options ...Option) (*BatchCreated, error) {
	return send[BatchCreated](ctx, r.core, apiCall{method: "POST", path: "/api/v1/events/batch", body: body}, options)
}

// ReplayBatch calls POST /api/v1/events/batch/retry: Replay many events: by ids, by status, or
// by endpoint.
func (r EventsResource) ReplayBatch(ctx context.Context, body RetryBatch, options ...Option) (*BatchRetried, error) {
	return send[BatchRetried](ctx, r.core, apiCall{method: "POST", path: "/api/v1/events/batch/retry", body: body}, options)
}

// EventsListParams is what Events.List may be asked for; what is zero is left out.
type EventsListParams struct {
	Limit  int
	Cursor string
	// one of "queued", "delivering", "delivered", "failed", "dead"
	Status     string
	EventType  string
	EndpointID string
	// direct events to exactly this URL
	Destination string
	// accepted at this time or later
	From time.Time
	// accepted before this time
	To time.Time
}

func (p EventsListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	set(q, "status", p.Status)
	set(q, "eventType", p.EventType)
	set(q, "endpointId", p.EndpointID)
	set(q, "destination", p.Destination)
	set(q, "from", p.From)
	set(q, "to", p.To)
	return q
}

// List calls GET /api/v1/events: List events, newest first. It goes on from page to page.
func (r EventsResource) List(ctx context.Context, params EventsListParams, options ...Option) iter.Seq2[EventListItem, error] {
	return sendForAll[EventListItem](ctx, r.core, apiCall{method: "GET", path: "/api/v1/events", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r EventsResource) ListPage(ctx context.Context, params EventsListParams, options ...Option) (*Page[EventListItem], error) {
	return send[Page[EventListItem]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/events", query: params.query()}, options)
}

// Get calls GET /api/v1/events/{eventId}: One event with its attempts.
func (r EventsResource) Get(ctx context.Context, eventID string, options ...Option) (*EventDetail, error) {
	return send[EventDetail](ctx, r.core, apiCall{method: "GET", path: "/api/v1/events/{eventId}", inPath: []string{eventID}}, options)
}

// Edit calls PATCH /api/v1/events/{eventId}: Edit a failed or dead event, and replay it on
// request; as with a replay, 409 beyond 30,000 attempts, and while retention removes it.
func (r EventsResource) Edit(ctx context.Context, eventID string, body EditEvent, options ...Option) (*EventDetail, error) {
	return send[EventDetail](ctx, r.core, apiCall{method: "PATCH", path: "/api/v1/events/{eventId}", inPath: []string{eventID}, body: body}, options)
}

// Replay calls POST /api/v1/events/{eventId}/replay: Queue again the deliveries of an event that
// did not succeed; 409 beyond 30,000 attempts of one over all replays, and while retention
// removes the event.
func (r EventsResource) Replay(ctx context.Context, eventID string, options ...Option) (*EventDetail, error) {
	return send[EventDetail](ctx, r.core, apiCall{method: "POST", path: "/api/v1/events/{eventId}/replay", inPath: []string{eventID}}, options)
}

// EventsListDeliveriesParams is what Events.ListDeliveries may be asked for; what is zero is
// left out.
type EventsListDeliveriesParams struct {
	Limit  int
	Cursor string
}

func (p EventsListDeliveriesParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// ListDeliveries calls GET /api/v1/events/{eventId}/deliveries: An event's delivery attempts in
// the order in which they were made.
func (r EventsResource) ListDeliveries(ctx context.Context, eventID string, params EventsListDeliveriesParams, options ...Option) (*EventDeliveries, error) {
	return send[EventDeliveries](ctx, r.core, apiCall{method: "GET", path: "/api/v1/events/{eventId}/deliveries", inPath: []string{eventID}, query: params.query()}, options)
}

// Explain calls GET /api/v1/events/{eventId}/explain: Why an event went to which endpoints, and
// what its deliveries wait for.
func (r EventsResource) Explain(ctx context.Context, eventID string, options ...Option) (*EventExplanation, error) {
	return send[EventExplanation](ctx, r.core, apiCall{method: "GET", path: "/api/v1/events/{eventId}/explain", inPath: []string{eventID}}, options)
}

// DeliveriesResource has the calls of the API under /api/v1/deliveries.
type DeliveriesResource struct{ core *core }

// DeliveriesListParams is what Deliveries.List may be asked for; what is zero is left out.
type DeliveriesListParams struct {
	// one of "1h", "24h", "7d", "30d"
	Range string
	Start time.Time
	End   time.Time
	// one of "success", "failure", "timeout"
	Outcome    string
	EndpointID string
	EventType  string
	Limit      int
	Offset     int
}

func (p DeliveriesListParams) query() url.Values {
	q := url.Values{}
	set(q, "range", p.Range)
	set(q, "start", p.Start)
	set(q, "end", p.End)
	set(q, "outcome", p.Outcome)
	set(q, "endpoint_id", p.EndpointID)
	set(q, "event_type", p.EventType)
	set(q, "limit", p.Limit)
	set(q, "offset", p.Offset)
	return q
}

// List calls GET /api/v1/deliveries: List delivery attempts, newest first.
func (r DeliveriesResource) List(ctx context.Context, params DeliveriesListParams, options ...Option) (*DeliveryPage, error) {
	return send[DeliveryPage](ctx, r.core, apiCall{method: "GET", path: "/api/v1/deliveries", query: params.query()}, options)
}

// Get calls GET /api/v1/deliveries/{deliveryId}: One delivery attempt.
func (r DeliveriesResource) Get(ctx context.Context, deliveryID string, options ...Option) (*AttemptDetail, error) {
	return send[AttemptDetail](ctx, r.core, apiCall{method: "GET", path: "/api/v1/deliveries/{deliveryId}", inPath: []string{deliveryID}}, options)
}

// PollResource has the calls of the API under /api/v1/poll.
type PollResource struct{ core *core }

// PollReceiveParams is what Poll.Receive may be asked for; what is zero is left out.
type PollReceiveParams struct {
	// required
	EndpointID string
	Limit      int
	Timeout    int
}

func (p PollReceiveParams) query() url.Values {
	q := url.Values{}
	set(q, "endpoint_id", p.EndpointID)
	set(q, "limit", p.Limit)
	set(q, "timeout", p.Timeout)
	return q
}

// Receive calls GET /api/v1/poll: Fetch the oldest events of an endpoint in poll mode, or wait
// for some; each must be acknowledged within the visibility timeout.
func (r PollResource) Receive(ctx context.Context, params PollReceiveParams, options ...Option) (*PollEventsAnswer, error) {
	return send[PollEventsAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/poll", query: params.query()}, options)
}

// Ack calls POST /api/v1/poll/ack: Acknowledge fetched events: they are delivered.
func (r PollResource) Ack(ctx context.Context, body AckPolled, options ...Option) (*AckPolledAnswer, error) {
	return send[AckPolledAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/poll/ack", body: body}, options)
}

// EndpointsResource has the calls of the API under /api/v1/endpoints.
type EndpointsResource struct{ core *core }

// Create calls POST /api/v1/endpoints: Create an endpoint.
func (r EndpointsResource) Create(ctx context.Context, body CreateEndpoint, options ...Option) (*EndpointCreated, error) {
	return send[EndpointCreated](ctx, r.core, apiCall{method: "POST", path: "/api/v1/endpoints", body: body}, options)
}

// EndpointsListParams is what Endpoints.List may be asked for; what is zero is left out.
type EndpointsListParams struct {
	Limit  int
	Cursor string
}

func (p EndpointsListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// List calls GET /api/v1/endpoints: List endpoints, newest first. It goes on from page to page.
func (r EndpointsResource) List(ctx context.Context, params EndpointsListParams, options ...Option) iter.Seq2[Endpoint, error] {
	return sendForAll[Endpoint](ctx, r.core, apiCall{method: "GET", path: "/api/v1/endpoints", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r EndpointsResource) ListPage(ctx context.Context, params EndpointsListParams, options ...Option) (*Page[Endpoint], error) {
	return send[Page[Endpoint]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/endpoints", query: params.query()}, options)
}

// Get calls GET /api/v1/endpoints/{id}: One endpoint.
func (r EndpointsResource) Get(ctx context.Context, id string, options ...Option) (*Endpoint, error) {
	return send[Endpoint](ctx, r.core, apiCall{method: "GET", path: "/api/v1/endpoints/{id}", inPath: []string{id}}, options)
}

// Update calls PATCH /api/v1/endpoints/{id}: Change an endpoint; each change makes a numbered
// version.
func (r EndpointsResource) Update(ctx context.Context, id string, body UpdateEndpoint, options ...Option) (*Endpoint, error) {
	return send[Endpoint](ctx, r.core, apiCall{method: "PATCH", path: "/api/v1/endpoints/{id}", inPath: []string{id}, body: body}, options)
}

// Delete calls DELETE /api/v1/endpoints/{id}: Delete an endpoint; its pending deliveries become
// dead.
func (r EndpointsResource) Delete(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/endpoints/{id}", inPath: []string{id}}, options, nil)
}

// Pause calls POST /api/v1/endpoints/{id}/pause: Hold an endpoint’s deliveries.
func (r EndpointsResource) Pause(ctx context.Context, id string, options ...Option) (*Endpoint, error) {
	return send[Endpoint](ctx, r.core, apiCall{method: "POST", path: "/api/v1/endpoints/{id}/pause", inPath: []string{id}}, options)
}

// Resume calls POST /api/v1/endpoints/{id}/resume: End a pause, or the disabling by a 410, and
// release what waits in order.
func (r EndpointsResource) Resume(ctx context.Context, id string, options ...Option) (*Endpoint, error) {
	return send[Endpoint](ctx, r.core, apiCall{method: "POST", path: "/api/v1/endpoints/{id}/resume", inPath: []string{id}}, options)
}

// EndpointsListVersionsParams is what Endpoints.ListVersions may be asked for; what is zero is
// left out.
type EndpointsListVersionsParams struct {
	Limit  int
	Cursor string
}

func (p EndpointsListVersionsParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// ListVersions calls GET /api/v1/endpoints/{id}/versions: List the versions of an endpoint,
// newest first. It goes on from page to page.
func (r EndpointsResource) ListVersions(ctx context.Context, id string, params EndpointsListVersionsParams, options ...Option) iter.Seq2[EndpointVersion, error] {
	return sendForAll[EndpointVersion](ctx, r.core, apiCall{method: "GET", path: "/api/v1/endpoints/{id}/versions", inPath: []string{id}, query: params.query()}, options)
}

// ListVersionsPage reads one page of ListVersions: the first, or the one that the cursor of
// params leads to.
func (r EndpointsResource) ListVersionsPage(ctx context.Context, id string, params EndpointsListVersionsParams, options ...Option) (*Page[EndpointVersion], error) {
	return send[Page[EndpointVersion]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/endpoints/{id}/versions", inPath: []string{id}, query: params.query()}, options)
}

// EndpointsDiffVersionsParams is what Endpoints.DiffVersions may be asked for; what is zero is
// left out.
type EndpointsDiffVersionsParams struct {
	// required
	V1 int
	// required
	V2 int
}

func (p EndpointsDiffVersionsParams) query() url.Values {
	q := url.Values{}
	set(q, "v1", p.V1)
	set(q, "v2", p.V2)
	return q
}

// DiffVersions calls GET /api/v1/endpoints/{id}/versions/diff: What differs between two versions
// of an endpoint.
func (r EndpointsResource) DiffVersions(ctx context.Context, id string, params EndpointsDiffVersionsParams, options ...Option) (*VersionDiff, error) {
	return send[VersionDiff](ctx, r.core, apiCall{method: "GET", path: "/api/v1/endpoints/{id}/versions/diff", inPath: []string{id}, query: params.query()}, options)
}

// GetVersion calls GET /api/v1/endpoints/{id}/versions/{n}: One version of an endpoint.
func (r EndpointsResource) GetVersion(ctx context.Context, id string, n int, options ...Option) (*EndpointVersion, error) {
	return send[EndpointVersion](ctx, r.core, apiCall{method: "GET", path: "/api/v1/endpoints/{id}/versions/{n}", inPath: []string{id, strconv.Itoa(n)}}, options)
}

// Rollback calls POST /api/v1/endpoints/{id}/versions/{n}/rollback: Set an endpoint to what a
// version has, as a new version; secrets stay as they are.
func (r EndpointsResource) Rollback(ctx context.Context, id string, n int, options ...Option) (*Endpoint, error) {
	return send[Endpoint](ctx, r.core, apiCall{method: "POST", path: "/api/v1/endpoints/{id}/versions/{n}/rollback", inPath: []string{id, strconv.Itoa(n)}}, options)
}

// RotateSecret calls POST /api/v1/endpoints/{id}/rotate-secret: Give an endpoint a new secret of
// its own; both sign while the grace lasts.
func (r EndpointsResource) RotateSecret(ctx context.Context, id string, body RotateSecret, options ...Option) (*EndpointRotated, error) {
	return send[EndpointRotated](ctx, r.core, apiCall{method: "POST", path: "/api/v1/endpoints/{id}/rotate-secret", inPath: []string{id}, body: body}, options)
}

// SetMTLS calls POST /api/v1/endpoints/{id}/mtls: Set the client certificate that deliveries
// present; its key is never shown.
func (r EndpointsResource) SetMTLS(ctx context.Context, id string, body SetMTLS, options ...Option) (*Endpoint, error) {
	return send[Endpoint](ctx, r.core, apiCall{method: "POST", path: "/api/v1/endpoints/{id}/mtls", inPath: []string{id}, body: body}, options)
}

// RemoveMTLS calls DELETE /api/v1/endpoints/{id}/mtls: Present no client certificate any more.
func (r EndpointsResource) RemoveMTLS(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/endpoints/{id}/mtls", inPath: []string{id}}, options, nil)
}

// Test calls POST /api/v1/endpoints/{id}/test: Send a sample event to this endpoint alone,
// whatever it subscribes to.
func (r EndpointsResource) Test(ctx context.Context, id string, body TestEndpoint, options ...Option) (*EventSummary, error) {
	return send[EventSummary](ctx, r.core, apiCall{method: "POST", path: "/api/v1/endpoints/{id}/test", inPath: []string{id}, body: body}, options)
}

// Replay calls POST /api/v1/endpoints/{id}/replay: Begin to queue again what an endpoint did not
// take of the events of a span of time.
func (r EndpointsResource) Replay(ctx context.Context, id string, body CreateReplay, options ...Option) (*Replay, error) {
	return send[Replay](ctx, r.core, apiCall{method: "POST", path: "/api/v1/endpoints/{id}/replay", inPath: []string{id}, body: body}, options)
}

// EgressIPsResource has the calls of the API under /api/v1/egress-ips.
type EgressIPsResource struct{ core *core }

// List calls GET /api/v1/egress-ips: Addresses that deliveries come from, for allow lists.
func (r EgressIPsResource) List(ctx context.Context, options ...Option) (*EgressIPs, error) {
	return send[EgressIPs](ctx, r.core, apiCall{method: "GET", path: "/api/v1/egress-ips"}, options)
}

// SigningSecretResource has the calls of the API under /api/v1/signing-secret.
type SigningSecretResource struct{ core *core }

// Get calls GET /api/v1/signing-secret: The secret of direct events and of endpoints without one
// of their own.
func (r SigningSecretResource) Get(ctx context.Context, options ...Option) (*GlobalSecret, error) {
	return send[GlobalSecret](ctx, r.core, apiCall{method: "GET", path: "/api/v1/signing-secret"}, options)
}

// Rotate calls POST /api/v1/signing-secret/rotate: Replace the global secret; both sign while
// the grace lasts.
func (r SigningSecretResource) Rotate(ctx context.Context, body RotateSecret, options ...Option) (*GlobalSecret, error) {
	return send[GlobalSecret](ctx, r.core, apiCall{method: "POST", path: "/api/v1/signing-secret/rotate", body: body}, options)
}

// ReplaysResource has the calls of the API under /api/v1/replays.
type ReplaysResource struct{ core *core }

// Get calls GET /api/v1/replays/{id}: How far a bulk replay is.
func (r ReplaysResource) Get(ctx context.Context, id string, options ...Option) (*Replay, error) {
	return send[Replay](ctx, r.core, apiCall{method: "GET", path: "/api/v1/replays/{id}", inPath: []string{id}}, options)
}

// TransformationsResource has the calls of the API under /api/v1/transformations.
type TransformationsResource struct{ core *core }

// Test calls POST /api/v1/transformations/test: Run a transformation on an event of your own;
// nothing is sent or saved.
func (r TransformationsResource) Test(ctx context.Context, body TestTransformation, options ...Option) (*TestTransformationAnswer, error) {
	return send[TestTransformationAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/transformations/test", body: body}, options)
}

// EventTypesResource has the calls of the API under /api/v1/event-types.
type EventTypesResource struct{ core *core }

// Create calls POST /api/v1/event-types: Create an event type; with a schema, payloads are
// checked against it.
func (r EventTypesResource) Create(ctx context.Context, body CreateEventType, options ...Option) (*EventType, error) {
	return send[EventType](ctx, r.core, apiCall{method: "POST", path: "/api/v1/event-types", body: body}, options)
}

// EventTypesListParams is what EventTypes.List may be asked for; what is zero is left out.
type EventTypesListParams struct {
	Limit  int
	Cursor string
}

func (p EventTypesListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// List calls GET /api/v1/event-types: List event types, newest first. It goes on from page to
// page.
func (r EventTypesResource) List(ctx context.Context, params EventTypesListParams, options ...Option) iter.Seq2[EventType, error] {
	return sendForAll[EventType](ctx, r.core, apiCall{method: "GET", path: "/api/v1/event-types", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r EventTypesResource) ListPage(ctx context.Context, params EventTypesListParams, options ...Option) (*Page[EventType], error) {
	return send[Page[EventType]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/event-types", query: params.query()}, options)
}

// GetByName calls GET /api/v1/event-types/by-name/{name}: One event type by its name.
func (r EventTypesResource) GetByName(ctx context.Context, name string, options ...Option) (*EventType, error) {
	return send[EventType](ctx, r.core, apiCall{method: "GET", path: "/api/v1/event-types/by-name/{name}", inPath: []string{name}}, options)
}

// Get calls GET /api/v1/event-types/{id}: One event type.
func (r EventTypesResource) Get(ctx context.Context, id string, options ...Option) (*EventType, error) {
	return send[EventType](ctx, r.core, apiCall{method: "GET", path: "/api/v1/event-types/{id}", inPath: []string{id}}, options)
}

// Update calls PUT /api/v1/event-types/{id}: Change an event type; fields left out stay as they
// are.
func (r EventTypesResource) Update(ctx context.Context, id string, body UpdateEventType, options ...Option) (*EventType, error) {
	return send[EventType](ctx, r.core, apiCall{method: "PUT", path: "/api/v1/event-types/{id}", inPath: []string{id}, body: body}, options)
}

// Delete calls DELETE /api/v1/event-types/{id}: Delete an event type; events of that name are no
// longer checked.
func (r EventTypesResource) Delete(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/event-types/{id}", inPath: []string{id}}, options, nil)
}

// InboundEndpointsResource has the calls of the API under /api/v1/inbound-endpoints.
type InboundEndpointsResource struct{ core *core }

// Create calls POST /api/v1/inbound-endpoints: Create an inbound endpoint for a platform’s
// webhooks.
func (r InboundEndpointsResource) Create(ctx context.Context, body CreateInboundEndpoint, options ...Option) (*InboundEndpoint, error) {
	return send[InboundEndpoint](ctx, r.core, apiCall{method: "POST", path: "/api/v1/inbound-endpoints", body: body}, options)
}

// InboundEndpointsListParams is what InboundEndpoints.List may be asked for; what is zero is
// left out.
type InboundEndpointsListParams struct {
	Limit  int
	Cursor string
}

func (p InboundEndpointsListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// List calls GET /api/v1/inbound-endpoints: List inbound endpoints, newest first. It goes on
// from page to page.
func (r InboundEndpointsResource) List(ctx context.Context, params InboundEndpointsListParams, options ...Option) iter.Seq2[InboundEndpoint, error] {
	return sendForAll[InboundEndpoint](ctx, r.core, apiCall{method: "GET", path: "/api/v1/inbound-endpoints", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r InboundEndpointsResource) ListPage(ctx context.Context, params InboundEndpointsListParams, options ...Option) (*Page[InboundEndpoint], error) {
	return send[Page[InboundEndpoint]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/inbound-endpoints", query: params.query()}, options)
}

// Get calls GET /api/v1/inbound-endpoints/{id}: One inbound endpoint, with how its last requests
// went.
func (r InboundEndpointsResource) Get(ctx context.Context, id string, options ...Option) (*InboundEndpoint, error) {
	return send[InboundEndpoint](ctx, r.core, apiCall{method: "GET", path: "/api/v1/inbound-endpoints/{id}", inPath: []string{id}}, options)
}

// Update calls PATCH /api/v1/inbound-endpoints/{id}: Change an inbound endpoint.
func (r InboundEndpointsResource) Update(ctx context.Context, id string, body PatchInboundEndpoint, options ...Option) (*InboundEndpoint, error) {
	return send[InboundEndpoint](ctx, r.core, apiCall{method: "PATCH", path: "/api/v1/inbound-endpoints/{id}", inPath: []string{id}, body: body}, options)
}

// Delete calls DELETE /api/v1/inbound-endpoints/{id}: Delete an inbound endpoint; its events
// stay.
func (r InboundEndpointsResource) Delete(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/inbound-endpoints/{id}", inPath: []string{id}}, options, nil)
}

// Verify calls POST /api/v1/inbound-endpoints/{id}/verify: Verify a request step by step, as the
// inbound receiver would, without making an event.
func (r InboundEndpointsResource) Verify(ctx context.Context, id string, body VerifyInbound, options ...Option) (*InboundVerified, error) {
	return send[InboundVerified](ctx, r.core, apiCall{method: "POST", path: "/api/v1/inbound-endpoints/{id}/verify", inPath: []string{id}, body: body}, options)
}

// InboundPresetsResource has the calls of the API under /api/v1/inbound-presets.
type InboundPresetsResource struct{ core *core }

// List calls GET /api/v1/inbound-presets: All platforms, and what each is configured with.
func (r InboundPresetsResource) List(ctx context.Context, options ...Option) (*InboundPresetPage, error) {
	return send[InboundPresetPage](ctx, r.core, apiCall{method: "GET", path: "/api/v1/inbound-presets"}, options)
}

// APIKeysResource has the calls of the API under /api/v1/api-keys.
type APIKeysResource struct{ core *core }

// Create calls POST /api/v1/api-keys: Create an API key; the key itself is shown this once.
func (r APIKeysResource) Create(ctx context.Context, body CreateAPIKey, options ...Option) (*APIKeyCreated, error) {
	return send[APIKeyCreated](ctx, r.core, apiCall{method: "POST", path: "/api/v1/api-keys", body: body}, options)
}

// APIKeysListParams is what APIKeys.List may be asked for; what is zero is left out.
type APIKeysListParams struct {
	Limit  int
	Cursor string
}

func (p APIKeysListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// List calls GET /api/v1/api-keys: List API keys, newest first. It goes on from page to page.
func (r APIKeysResource) List(ctx context.Context, params APIKeysListParams, options ...Option) iter.Seq2[APIKey, error] {
	return sendForAll[APIKey](ctx, r.core, apiCall{method: "GET", path: "/api/v1/api-keys", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r APIKeysResource) ListPage(ctx context.Context, params APIKeysListParams, options ...Option) (*Page[APIKey], error) {
	return send[Page[APIKey]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/api-keys", query: params.query()}, options)
}

// Revoke calls DELETE /api/v1/api-keys/{id}: Revoke an API key; in force everywhere within 2
// seconds.
func (r APIKeysResource) Revoke(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/api-keys/{id}", inPath: []string{id}}, options, nil)
}

// ProjectsResource has the calls of the API under /api/v1/projects.
type ProjectsResource struct{ core *core }

// Create calls POST /api/v1/projects: Create a project.
func (r ProjectsResource) Create(ctx context.Context, body CreateProject, options ...Option) (*Project, error) {
	return send[Project](ctx, r.core, apiCall{method: "POST", path: "/api/v1/projects", body: body}, options)
}

// ProjectsListParams is what Projects.List may be asked for; what is zero is left out.
type ProjectsListParams struct {
	Limit  int
	Cursor string
}

func (p ProjectsListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// List calls GET /api/v1/projects: List projects, newest first. It goes on from page to page.
func (r ProjectsResource) List(ctx context.Context, params ProjectsListParams, options ...Option) iter.Seq2[Project, error] {
	return sendForAll[Project](ctx, r.core, apiCall{method: "GET", path: "/api/v1/projects", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r ProjectsResource) ListPage(ctx context.Context, params ProjectsListParams, options ...Option) (*Page[Project], error) {
	return send[Page[Project]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/projects", query: params.query()}, options)
}

// Update calls PATCH /api/v1/projects/{id}: Change a project.
func (r ProjectsResource) Update(ctx context.Context, id string, body UpdateProject, options ...Option) (*Project, error) {
	return send[Project](ctx, r.core, apiCall{method: "PATCH", path: "/api/v1/projects/{id}", inPath: []string{id}, body: body}, options)
}

// Delete calls DELETE /api/v1/projects/{id}: Delete a project without endpoints; the default one
// stays.
func (r ProjectsResource) Delete(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/projects/{id}", inPath: []string{id}}, options, nil)
}

// AuditLogsResource has the calls of the API under /api/v1/audit-logs.
type AuditLogsResource struct{ core *core }

// AuditLogsListParams is what AuditLogs.List may be asked for; what is zero is left out.
type AuditLogsListParams struct {
	Limit    int
	Cursor   string
	Resource string
	// with a dot at its end: every action that begins so
	Action string
	// the id of a user, who also acts by the keys that they made; of an API key or a sub-account;
	// an e-mail address; or `system`
	Actor string
	From  time.Time
	To    time.Time
}

func (p AuditLogsListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	set(q, "resource", p.Resource)
	set(q, "action", p.Action)
	set(q, "actor", p.Actor)
	set(q, "from", p.From)
	set(q, "to", p.To)
	return q
}

// List calls GET /api/v1/audit-logs: List who changed what, newest first. It goes on from page
// to page.
func (r AuditLogsResource) List(ctx context.Context, params AuditLogsListParams, options ...Option) iter.Seq2[AuditLog, error] {
	return sendForAll[AuditLog](ctx, r.core, apiCall{method: "GET", path: "/api/v1/audit-logs", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r AuditLogsResource) ListPage(ctx context.Context, params AuditLogsListParams, options ...Option) (*Page[AuditLog], error) {
	return send[Page[AuditLog]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/audit-logs", query: params.query()}, options)
}

// MeResource has the calls of the API under /api/v1/me.
type MeResource struct{ core *core }

// Get calls GET /api/v1/me: The workspace, and who calls.
func (r MeResource) Get(ctx context.Context, options ...Option) (*Me, error) {
	return send[Me](ctx, r.core, apiCall{method: "GET", path: "/api/v1/me"}, options)
}

// CompleteOnboarding calls POST /api/v1/me/onboarding-complete: Note that the first steps in the
// workspace are done, and what it is called.
func (r MeResource) CompleteOnboarding(ctx context.Context, body CompleteOnboarding, options ...Option) (*Me, error) {
	return send[Me](ctx, r.core, apiCall{method: "POST", path: "/api/v1/me/onboarding-complete", body: body}, options)
}

// GetSecurity calls GET /api/v1/me/security: What the workspace asks of its members.
func (r MeResource) GetSecurity(ctx context.Context, options ...Option) (*SecuritySettings, error) {
	return send[SecuritySettings](ctx, r.core, apiCall{method: "GET", path: "/api/v1/me/security"}, options)
}

// UpdateSecurity calls PATCH /api/v1/me/security: Ask a second factor of each member; those
// without one may only set one up.
func (r MeResource) UpdateSecurity(ctx context.Context, body UpdateSecurity, options ...Option) (*SecuritySettings, error) {
	return send[SecuritySettings](ctx, r.core, apiCall{method: "PATCH", path: "/api/v1/me/security", body: body}, options)
}

// EntitlementsResource has the calls of the API under /api/v1/entitlements.
type EntitlementsResource struct{ core *core }

// Get calls GET /api/v1/entitlements: What the plan of the workspace allows.
func (r EntitlementsResource) Get(ctx context.Context, options ...Option) (*Entitlements, error) {
	return send[Entitlements](ctx, r.core, apiCall{method: "GET", path: "/api/v1/entitlements"}, options)
}

// UsageResource has the calls of the API under /api/v1/usage.
type UsageResource struct{ core *core }

// GetCurrent calls GET /api/v1/usage/current: The events of this month, and what is left of its
// quota.
func (r UsageResource) GetCurrent(ctx context.Context, options ...Option) (*CurrentUsage, error) {
	return send[CurrentUsage](ctx, r.core, apiCall{method: "GET", path: "/api/v1/usage/current"}, options)
}

// UsageGetHistoryParams is what Usage.GetHistory may be asked for; what is zero is left out.
type UsageGetHistoryParams struct {
	Months int
}

func (p UsageGetHistoryParams) query() url.Values {
	q := url.Values{}
	set(q, "months", p.Months)
	return q
}

// GetHistory calls GET /api/v1/usage/history: The events and attempts of each month, newest
// first.
func (r UsageResource) GetHistory(ctx context.Context, params UsageGetHistoryParams, options ...Option) (*UsageHistory, error) {
	return send[UsageHistory](ctx, r.core, apiCall{method: "GET", path: "/api/v1/usage/history", query: params.query()}, options)
}

// AnalyticsResource has the calls of the API under /api/v1/analytics.
type AnalyticsResource struct{ core *core }

// AnalyticsGetSummaryParams is what Analytics.GetSummary may be asked for; what is zero is left
// out.
type AnalyticsGetSummaryParams struct {
	EndpointID string
	// 24 hours before `to` where it is not given
	From time.Time
	// now where it is not given
	To time.Time
}

func (p AnalyticsGetSummaryParams) query() url.Values {
	q := url.Values{}
	set(q, "endpointId", p.EndpointID)
	set(q, "from", p.From)
	set(q, "to", p.To)
	return q
}

// GetSummary calls GET /api/v1/analytics/summary: What was sent, delivered, failed and given up,
// by hour or day.
func (r AnalyticsResource) GetSummary(ctx context.Context, params AnalyticsGetSummaryParams, options ...Option) (*GetAnalyticsSummaryAnswer, error) {
	return send[GetAnalyticsSummaryAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/analytics/summary", query: params.query()}, options)
}

// AnalyticsGetOutcomesParams is what Analytics.GetOutcomes may be asked for; what is zero is
// left out.
type AnalyticsGetOutcomesParams struct {
	EndpointID string
	// 24 hours before `to` where it is not given
	From time.Time
	// now where it is not given
	To time.Time
}

func (p AnalyticsGetOutcomesParams) query() url.Values {
	q := url.Values{}
	set(q, "endpointId", p.EndpointID)
	set(q, "from", p.From)
	set(q, "to", p.To)
	return q
}

// GetOutcomes calls GET /api/v1/analytics/outcomes: Successes, failures and timeouts, by hour or
// day.
func (r AnalyticsResource) GetOutcomes(ctx context.Context, params AnalyticsGetOutcomesParams, options ...Option) (*GetAnalyticsOutcomesAnswer, error) {
	return send[GetAnalyticsOutcomesAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/analytics/outcomes", query: params.query()}, options)
}

// AnalyticsGetThroughputParams is what Analytics.GetThroughput may be asked for; what is zero is
// left out.
type AnalyticsGetThroughputParams struct {
	EndpointID string
	// 24 hours before `to` where it is not given
	From time.Time
	// now where it is not given
	To time.Time
}

func (p AnalyticsGetThroughputParams) query() url.Values {
	q := url.Values{}
	set(q, "endpointId", p.EndpointID)
	set(q, "from", p.From)
	set(q, "to", p.To)
	return q
}

// GetThroughput calls GET /api/v1/analytics/throughput: Events per second, by hour or day.
func (r AnalyticsResource) GetThroughput(ctx context.Context, params AnalyticsGetThroughputParams, options ...Option) (*GetAnalyticsThroughputAnswer, error) {
	return send[GetAnalyticsThroughputAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/analytics/throughput", query: params.query()}, options)
}

// AnalyticsGetLatencyParams is what Analytics.GetLatency may be asked for; what is zero is left
// out.
type AnalyticsGetLatencyParams struct {
	EndpointID string
	// 24 hours before `to` where it is not given
	From time.Time
	// now where it is not given
	To time.Time
}

func (p AnalyticsGetLatencyParams) query() url.Values {
	q := url.Values{}
	set(q, "endpointId", p.EndpointID)
	set(q, "from", p.From)
	set(q, "to", p.To)
	return q
}

// GetLatency calls GET /api/v1/analytics/latency: Percentiles of the durations of attempts, by
// hour or day.
func (r AnalyticsResource) GetLatency(ctx context.Context, params AnalyticsGetLatencyParams, options ...Option) (*GetAnalyticsLatencyAnswer, error) {
	return send[GetAnalyticsLatencyAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/analytics/latency", query: params.query()}, options)
}

// AnalyticsGetFailuresParams is what Analytics.GetFailures may be asked for; what is zero is
// left out.
type AnalyticsGetFailuresParams struct {
	EndpointID string
	// 24 hours before `to` where it is not given
	From time.Time
	// now where it is not given
	To time.Time
}

func (p AnalyticsGetFailuresParams) query() url.Values {
	q := url.Values{}
	set(q, "endpointId", p.EndpointID)
	set(q, "from", p.From)
	set(q, "to", p.To)
	return q
}

// GetFailures calls GET /api/v1/analytics/failures: Failed attempts by category, by hour or day.
func (r AnalyticsResource) GetFailures(ctx context.Context, params AnalyticsGetFailuresParams, options ...Option) (*GetAnalyticsFailuresAnswer, error) {
	return send[GetAnalyticsFailuresAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/analytics/failures", query: params.query()}, options)
}

// AnalyticsGetEndpointHealthParams is what Analytics.GetEndpointHealth may be asked for; what is
// zero is left out.
type AnalyticsGetEndpointHealthParams struct {
	EndpointID string
	// 24 hours before `to` where it is not given
	From time.Time
	// now where it is not given
	To time.Time
}

func (p AnalyticsGetEndpointHealthParams) query() url.Values {
	q := url.Values{}
	set(q, "endpointId", p.EndpointID)
	set(q, "from", p.From)
	set(q, "to", p.To)
	return q
}

// GetEndpointHealth calls GET /api/v1/analytics/endpoint-health: How endpoints are doing, worst
// first.
func (r AnalyticsResource) GetEndpointHealth(ctx context.Context, params AnalyticsGetEndpointHealthParams, options ...Option) (*GetEndpointHealthAnswer, error) {
	return send[GetEndpointHealthAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/analytics/endpoint-health", query: params.query()}, options)
}

// StatsResource has the calls of the API under /api/v1/stats.
type StatsResource struct{ core *core }

// Get calls GET /api/v1/stats: What waits, fails and is delivered just now.
func (r StatsResource) Get(ctx context.Context, options ...Option) (*GetStatsAnswer, error) {
	return send[GetStatsAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/stats"}, options)
}

// MetricsResource has the calls of the API under /api/v1/metrics.
type MetricsResource struct{ core *core }

// GetRateLimits calls GET /api/v1/metrics/rate-limits: How much of the rate limits of API keys
// and endpoints is left.
func (r MetricsResource) GetRateLimits(ctx context.Context, options ...Option) (*GetRateLimitsAnswer, error) {
	return send[GetRateLimitsAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/metrics/rate-limits"}, options)
}

// GetEndpointRateLimit calls GET /api/v1/metrics/rate-limits/endpoint/{endpointId}: How much of
// an endpoint's rate limit is left.
func (r MetricsResource) GetEndpointRateLimit(ctx context.Context, endpointID string, options ...Option) (*GetEndpointRateLimitAnswer, error) {
	return send[GetEndpointRateLimitAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/metrics/rate-limits/endpoint/{endpointId}", inPath: []string{endpointID}}, options)
}

// TeamResource has the calls of the API under /api/v1/team.
type TeamResource struct{ core *core }

// TeamListParams is what Team.List may be asked for; what is zero is left out.
type TeamListParams struct {
	Limit  int
	Cursor string
}

func (p TeamListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// List calls GET /api/v1/team: List members and open invitations, newest first. It goes on from
// page to page.
func (r TeamResource) List(ctx context.Context, params TeamListParams, options ...Option) iter.Seq2[TeamMember, error] {
	return sendForAll[TeamMember](ctx, r.core, apiCall{method: "GET", path: "/api/v1/team", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r TeamResource) ListPage(ctx context.Context, params TeamListParams, options ...Option) (*Page[TeamMember], error) {
	return send[Page[TeamMember]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/team", query: params.query()}, options)
}

// InviteMember calls POST /api/v1/team/invite: Invite somebody by mail; again to the same
// address sends a new link.
func (r TeamResource) InviteMember(ctx context.Context, body InviteMember, options ...Option) (*TeamMember, error) {
	return send[TeamMember](ctx, r.core, apiCall{method: "POST", path: "/api/v1/team/invite", body: body}, options)
}

// UpdateMember calls PATCH /api/v1/team/{userId}: Change the role of a member or of an
// invitation.
func (r TeamResource) UpdateMember(ctx context.Context, userID string, body UpdateMember, options ...Option) (*TeamMember, error) {
	return send[TeamMember](ctx, r.core, apiCall{method: "PATCH", path: "/api/v1/team/{userId}", inPath: []string{userID}, body: body}, options)
}

// RemoveMember calls DELETE /api/v1/team/{userId}: Remove a member, whose sessions end at once,
// or revoke an invitation.
func (r TeamResource) RemoveMember(ctx context.Context, userID string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/team/{userId}", inPath: []string{userID}}, options, nil)
}

// SubAccountsResource has the calls of the API under /api/v1/sub-accounts.
type SubAccountsResource struct{ core *core }

// Create calls POST /api/v1/sub-accounts: Create a sub-account.
func (r SubAccountsResource) Create(ctx context.Context, body CreateSubAccount, options ...Option) (*CreateSubAccountAnswer, error) {
	return send[CreateSubAccountAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/sub-accounts", body: body}, options)
}

// SubAccountsListParams is what SubAccounts.List may be asked for; what is zero is left out.
type SubAccountsListParams struct {
	Limit      int
	Cursor     string
	ExternalID string
	// one of "active", "deactivated"
	Status string
	// how the name or the external id begins
	Q string
}

func (p SubAccountsListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	set(q, "externalId", p.ExternalID)
	set(q, "status", p.Status)
	set(q, "q", p.Q)
	return q
}

// List calls GET /api/v1/sub-accounts: List sub-accounts, newest first. It goes on from page to
// page.
func (r SubAccountsResource) List(ctx context.Context, params SubAccountsListParams, options ...Option) iter.Seq2[CreateSubAccountAnswer, error] {
	return sendForAll[CreateSubAccountAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sub-accounts", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r SubAccountsResource) ListPage(ctx context.Context, params SubAccountsListParams, options ...Option) (*Page[CreateSubAccountAnswer], error) {
	return send[Page[CreateSubAccountAnswer]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sub-accounts", query: params.query()}, options)
}

// Get calls GET /api/v1/sub-accounts/{id}: Read a sub-account.
func (r SubAccountsResource) Get(ctx context.Context, id string, options ...Option) (*CreateSubAccountAnswer, error) {
	return send[CreateSubAccountAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sub-accounts/{id}", inPath: []string{id}}, options)
}

// Update calls PATCH /api/v1/sub-accounts/{id}: Change a sub-account; the status active brings a
// deactivated one back.
func (r SubAccountsResource) Update(ctx context.Context, id string, body UpdateSubAccount, options ...Option) (*CreateSubAccountAnswer, error) {
	return send[CreateSubAccountAnswer](ctx, r.core, apiCall{method: "PATCH", path: "/api/v1/sub-accounts/{id}", inPath: []string{id}, body: body}, options)
}

// Deactivate calls DELETE /api/v1/sub-accounts/{id}: Deactivate a sub-account: it takes no new
// events, and its history stays.
func (r SubAccountsResource) Deactivate(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/sub-accounts/{id}", inPath: []string{id}}, options, nil)
}

// MintSession calls POST /api/v1/sub-accounts/{id}/sessions: Make a link to the portal that
// opens once.
func (r SubAccountsResource) MintSession(ctx context.Context, id string, body MintSubAccountSession, options ...Option) (*SubAccountSessionMinted, error) {
	return send[SubAccountSessionMinted](ctx, r.core, apiCall{method: "POST", path: "/api/v1/sub-accounts/{id}/sessions", inPath: []string{id}, body: body}, options)
}

// SubAccountsListSessionsParams is what SubAccounts.ListSessions may be asked for; what is zero
// is left out.
type SubAccountsListSessionsParams struct {
	Limit  int
	Cursor string
}

func (p SubAccountsListSessionsParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// ListSessions calls GET /api/v1/sub-accounts/{id}/sessions: List the sessions of a sub-account,
// newest first. It goes on from page to page.
func (r SubAccountsResource) ListSessions(ctx context.Context, id string, params SubAccountsListSessionsParams, options ...Option) iter.Seq2[SubAccountSessionItem, error] {
	return sendForAll[SubAccountSessionItem](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sub-accounts/{id}/sessions", inPath: []string{id}, query: params.query()}, options)
}

// ListSessionsPage reads one page of ListSessions: the first, or the one that the cursor of
// params leads to.
func (r SubAccountsResource) ListSessionsPage(ctx context.Context, id string, params SubAccountsListSessionsParams, options ...Option) (*Page[SubAccountSessionItem], error) {
	return send[Page[SubAccountSessionItem]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sub-accounts/{id}/sessions", inPath: []string{id}, query: params.query()}, options)
}

// RevokeSession calls DELETE /api/v1/sub-accounts/{id}/sessions/{sessionId}: End a session of a
// sub-account; in force for the next request.
func (r SubAccountsResource) RevokeSession(ctx context.Context, id string, sessionID string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/sub-accounts/{id}/sessions/{sessionId}", inPath: []string{id, sessionID}}, options, nil)
}

// RevokeSessions calls DELETE /api/v1/sub-accounts/{id}/sessions: End all sessions of a
// sub-account; in force for the next request.
func (r SubAccountsResource) RevokeSessions(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/sub-accounts/{id}/sessions", inPath: []string{id}}, options, nil)
}

// SubAccountSettingsResource has the calls of the API under /api/v1/sub-account-settings.
type SubAccountSettingsResource struct{ core *core }

// Get calls GET /api/v1/sub-account-settings: Read what holds for the portal of all
// sub-accounts.
func (r SubAccountSettingsResource) Get(ctx context.Context, options ...Option) (*GetSubAccountSettingsAnswer, error) {
	return send[GetSubAccountSettingsAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sub-account-settings"}, options)
}

// Update calls PATCH /api/v1/sub-account-settings: Change what holds for the portal of all
// sub-accounts.
func (r SubAccountSettingsResource) Update(ctx context.Context, body UpdateSubAccountSettings, options ...Option) (*GetSubAccountSettingsAnswer, error) {
	return send[GetSubAccountSettingsAnswer](ctx, r.core, apiCall{method: "PATCH", path: "/api/v1/sub-account-settings", body: body}, options)
}

// SSOResource has the calls of the API under /api/v1/sso.
type SSOResource struct{ core *core }

// SSOListConnectionsParams is what SSO.ListConnections may be asked for; what is zero is left
// out.
type SSOListConnectionsParams struct {
	Limit  int
	Cursor string
}

func (p SSOListConnectionsParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// ListConnections calls GET /api/v1/sso/connections: List the workspace's own identity
// providers, newest first. It goes on from page to page.
func (r SSOResource) ListConnections(ctx context.Context, params SSOListConnectionsParams, options ...Option) iter.Seq2[CreateSSOConnectionAnswer, error] {
	return sendForAll[CreateSSOConnectionAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sso/connections", query: params.query()}, options)
}

// ListConnectionsPage reads one page of ListConnections: the first, or the one that the cursor
// of params leads to.
func (r SSOResource) ListConnectionsPage(ctx context.Context, params SSOListConnectionsParams, options ...Option) (*Page[CreateSSOConnectionAnswer], error) {
	return send[Page[CreateSSOConnectionAnswer]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sso/connections", query: params.query()}, options)
}

// CreateConnection calls POST /api/v1/sso/connections: Add an identity provider of the
// workspace; `saml` needs the feature `saml`.
func (r SSOResource) CreateConnection(ctx context.Context, body CreateSSOConnection, options ...Option) (*CreateSSOConnectionAnswer, error) {
	return send[CreateSSOConnectionAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/sso/connections", body: body}, options)
}

// GetConnection calls GET /api/v1/sso/connections/{id}: Read one.
func (r SSOResource) GetConnection(ctx context.Context, id string, options ...Option) (*CreateSSOConnectionAnswer, error) {
	return send[CreateSSOConnectionAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sso/connections/{id}", inPath: []string{id}}, options)
}

// UpdateConnection calls PATCH /api/v1/sso/connections/{id}: Change one; in force at once for
// sign-ins that begin afterwards.
func (r SSOResource) UpdateConnection(ctx context.Context, id string, body UpdateSSOConnection, options ...Option) (*CreateSSOConnectionAnswer, error) {
	return send[CreateSSOConnectionAnswer](ctx, r.core, apiCall{method: "PATCH", path: "/api/v1/sso/connections/{id}", inPath: []string{id}, body: body}, options)
}

// DeleteConnection calls DELETE /api/v1/sso/connections/{id}: Delete one; its members stay, and
// sign in otherwise.
func (r SSOResource) DeleteConnection(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/sso/connections/{id}", inPath: []string{id}}, options, nil)
}

// SSOListDomainsParams is what SSO.ListDomains may be asked for; what is zero is left out.
type SSOListDomainsParams struct {
	Limit  int
	Cursor string
}

func (p SSOListDomainsParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// ListDomains calls GET /api/v1/sso/domains: List the workspace's e-mail domains, newest first.
// It goes on from page to page.
func (r SSOResource) ListDomains(ctx context.Context, params SSOListDomainsParams, options ...Option) iter.Seq2[CreateSSODomainAnswer, error] {
	return sendForAll[CreateSSODomainAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sso/domains", query: params.query()}, options)
}

// ListDomainsPage reads one page of ListDomains: the first, or the one that the cursor of params
// leads to.
func (r SSOResource) ListDomainsPage(ctx context.Context, params SSOListDomainsParams, options ...Option) (*Page[CreateSSODomainAnswer], error) {
	return send[Page[CreateSSODomainAnswer]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/sso/domains", query: params.query()}, options)
}

// CreateDomain calls POST /api/v1/sso/domains: Claim an e-mail domain; the answer names the TXT
// record that proves it.
func (r SSOResource) CreateDomain(ctx context.Context, body CreateSSODomain, options ...Option) (*CreateSSODomainAnswer, error) {
	return send[CreateSSODomainAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/sso/domains", body: body}, options)
}

// VerifyDomain calls POST /api/v1/sso/domains/{id}/verify: Look for the TXT record; the answer
// says whether it was found.
func (r SSOResource) VerifyDomain(ctx context.Context, id string, options ...Option) (*CreateSSODomainAnswer, error) {
	return send[CreateSSODomainAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/sso/domains/{id}/verify", inPath: []string{id}}, options)
}

// DeleteDomain calls DELETE /api/v1/sso/domains/{id}: Give a domain up: its people do not join
// by themselves any more.
func (r SSOResource) DeleteDomain(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/sso/domains/{id}", inPath: []string{id}}, options, nil)
}

// SCIMTokensResource has the calls of the API under /api/v1/scim-tokens.
type SCIMTokensResource struct{ core *core }

// SCIMTokensListParams is what SCIMTokens.List may be asked for; what is zero is left out.
type SCIMTokensListParams struct {
	Limit  int
	Cursor string
}

func (p SCIMTokensListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// List calls GET /api/v1/scim-tokens: List the tokens of provisioning, newest first. It goes on
// from page to page.
func (r SCIMTokensResource) List(ctx context.Context, params SCIMTokensListParams, options ...Option) iter.Seq2[SCIMToken, error] {
	return sendForAll[SCIMToken](ctx, r.core, apiCall{method: "GET", path: "/api/v1/scim-tokens", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r SCIMTokensResource) ListPage(ctx context.Context, params SCIMTokensListParams, options ...Option) (*Page[SCIMToken], error) {
	return send[Page[SCIMToken]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/scim-tokens", query: params.query()}, options)
}

// Create calls POST /api/v1/scim-tokens: Make a token for an identity provider; it is shown this
// once.
func (r SCIMTokensResource) Create(ctx context.Context, body CreateSCIMToken, options ...Option) (*CreateSCIMTokenAnswer, error) {
	return send[CreateSCIMTokenAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/scim-tokens", body: body}, options)
}

// Delete calls DELETE /api/v1/scim-tokens/{id}: Revoke a token; in force everywhere within 2
// seconds.
func (r SCIMTokensResource) Delete(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/scim-tokens/{id}", inPath: []string{id}}, options, nil)
}

// BillingResource has the calls of the API under /api/v1/billing.
type BillingResource struct{ core *core }

// GetOverview calls GET /api/v1/billing/overview: Read the subscription, the invoices and the
// plans that are offered.
func (r BillingResource) GetOverview(ctx context.Context, options ...Option) (*GetBillingOverviewAnswer, error) {
	return send[GetBillingOverviewAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/billing/overview"}, options)
}

// ListPlans calls GET /api/v1/billing/plans: List the plans with their prices, limits and
// features.
func (r BillingResource) ListPlans(ctx context.Context, options ...Option) (*ListBillingPlansAnswer, error) {
	return send[ListBillingPlansAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/billing/plans"}, options)
}

// GetSubscription calls GET /api/v1/billing/subscription: Read the subscription; null without
// one.
func (r BillingResource) GetSubscription(ctx context.Context, options ...Option) (*GetSubscriptionAnswer, error) {
	return send[GetSubscriptionAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/billing/subscription"}, options)
}

// ListInvoices calls GET /api/v1/billing/invoices: List the last invoices, newest first.
func (r BillingResource) ListInvoices(ctx context.Context, options ...Option) (*ListInvoicesAnswer, error) {
	return send[ListInvoicesAnswer](ctx, r.core, apiCall{method: "GET", path: "/api/v1/billing/invoices"}, options)
}

// Checkout calls POST /api/v1/billing/checkout: Get the address of a page at the billing
// provider, where the plan is paid for or, with a subscription, its change is confirmed.
func (r BillingResource) Checkout(ctx context.Context, body CheckOut, options ...Option) (*CheckOutAnswer, error) {
	return send[CheckOutAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/billing/checkout", body: body}, options)
}

// PreviewPlanChange calls POST /api/v1/billing/preview-update: Tell what a change of plan would
// cost, without making it.
func (r BillingResource) PreviewPlanChange(ctx context.Context, body CheckOut, options ...Option) (*PreviewPlanChangeAnswer, error) {
	return send[PreviewPlanChangeAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/billing/preview-update", body: body}, options)
}

// ChangePlan calls POST /api/v1/billing/update: Change the plan: up at once, with proration;
// down at the end of the period.
func (r BillingResource) ChangePlan(ctx context.Context, body CheckOut, options ...Option) (*GetSubscriptionAnswer, error) {
	return send[GetSubscriptionAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/billing/update", body: body}, options)
}

// CancelSubscription calls POST /api/v1/billing/cancel: Cancel the subscription at the end of
// its period.
func (r BillingResource) CancelSubscription(ctx context.Context, options ...Option) (*GetSubscriptionAnswer, error) {
	return send[GetSubscriptionAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/billing/cancel"}, options)
}

// ResumeSubscription calls POST /api/v1/billing/resume: Take back a cancellation.
func (r BillingResource) ResumeSubscription(ctx context.Context, options ...Option) (*GetSubscriptionAnswer, error) {
	return send[GetSubscriptionAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/billing/resume"}, options)
}

// DropScheduledChange calls DELETE /api/v1/billing/scheduled-change: Remove the change of plan
// that waits for the end of the period.
func (r BillingResource) DropScheduledChange(ctx context.Context, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/billing/scheduled-change"}, options, nil)
}

// OpenPortal calls POST /api/v1/billing/portal: Get the address of the page at the billing
// provider for cards, invoices and the rest.
func (r BillingResource) OpenPortal(ctx context.Context, options ...Option) (*CheckOutAnswer, error) {
	return send[CheckOutAnswer](ctx, r.core, apiCall{method: "POST", path: "/api/v1/billing/portal"}, options)
}

// AlertingResource has the calls of the API under /api/v1/alerting.
type AlertingResource struct{ core *core }

// CreateAlertRule calls POST /api/v1/alerting/rules: Create an alert rule.
func (r AlertingResource) CreateAlertRule(ctx context.Context, body CreateAlertRule, options ...Option) (*AlertRule, error) {
	return send[AlertRule](ctx, r.core, apiCall{method: "POST", path: "/api/v1/alerting/rules", body: body}, options)
}

// AlertingListAlertRulesParams is what Alerting.ListAlertRules may be asked for; what is zero is
// left out.
type AlertingListAlertRulesParams struct {
	Limit  int
	Cursor string
}

func (p AlertingListAlertRulesParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// ListAlertRules calls GET /api/v1/alerting/rules: List alert rules, newest first. It goes on
// from page to page.
func (r AlertingResource) ListAlertRules(ctx context.Context, params AlertingListAlertRulesParams, options ...Option) iter.Seq2[AlertRule, error] {
	return sendForAll[AlertRule](ctx, r.core, apiCall{method: "GET", path: "/api/v1/alerting/rules", query: params.query()}, options)
}

// ListAlertRulesPage reads one page of ListAlertRules: the first, or the one that the cursor of
// params leads to.
func (r AlertingResource) ListAlertRulesPage(ctx context.Context, params AlertingListAlertRulesParams, options ...Option) (*Page[AlertRule], error) {
	return send[Page[AlertRule]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/alerting/rules", query: params.query()}, options)
}

// GetAlertRule calls GET /api/v1/alerting/rules/{id}: Read an alert rule with its state.
func (r AlertingResource) GetAlertRule(ctx context.Context, id string, options ...Option) (*AlertRule, error) {
	return send[AlertRule](ctx, r.core, apiCall{method: "GET", path: "/api/v1/alerting/rules/{id}", inPath: []string{id}}, options)
}

// UpdateAlertRule calls PUT /api/v1/alerting/rules/{id}: Change an alert rule; fields left out
// stay as they are, and it starts in ok.
func (r AlertingResource) UpdateAlertRule(ctx context.Context, id string, body UpdateAlertRule, options ...Option) (*AlertRule, error) {
	return send[AlertRule](ctx, r.core, apiCall{method: "PUT", path: "/api/v1/alerting/rules/{id}", inPath: []string{id}, body: body}, options)
}

// DeleteAlertRule calls DELETE /api/v1/alerting/rules/{id}: Delete an alert rule; its history
// stays.
func (r AlertingResource) DeleteAlertRule(ctx context.Context, id string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/alerting/rules/{id}", inPath: []string{id}}, options, nil)
}

// EnableAlertRule calls POST /api/v1/alerting/rules/{id}/enable: Enable an alert rule; it starts
// in ok.
func (r AlertingResource) EnableAlertRule(ctx context.Context, id string, options ...Option) (*AlertRule, error) {
	return send[AlertRule](ctx, r.core, apiCall{method: "POST", path: "/api/v1/alerting/rules/{id}/enable", inPath: []string{id}}, options)
}

// DisableAlertRule calls POST /api/v1/alerting/rules/{id}/disable: Disable an alert rule: it is
// evaluated no more.
func (r AlertingResource) DisableAlertRule(ctx context.Context, id string, options ...Option) (*AlertRule, error) {
	return send[AlertRule](ctx, r.core, apiCall{method: "POST", path: "/api/v1/alerting/rules/{id}/disable", inPath: []string{id}}, options)
}

// TestAlertRule calls POST /api/v1/alerting/rules/{id}/test: Send a sample of what an alert rule
// sends, at once and without retries.
func (r AlertingResource) TestAlertRule(ctx context.Context, id string, options ...Option) (*NotificationTested, error) {
	return send[NotificationTested](ctx, r.core, apiCall{method: "POST", path: "/api/v1/alerting/rules/{id}/test", inPath: []string{id}}, options)
}

// EvaluateAlertRules calls POST /api/v1/alerting/evaluate: Evaluate all enabled alert rules now,
// and notify as usual.
func (r AlertingResource) EvaluateAlertRules(ctx context.Context, options ...Option) (*AlertsEvaluated, error) {
	return send[AlertsEvaluated](ctx, r.core, apiCall{method: "POST", path: "/api/v1/alerting/evaluate"}, options)
}

// AlertingListAlertHistoryParams is what Alerting.ListAlertHistory may be asked for; what is
// zero is left out.
type AlertingListAlertHistoryParams struct {
	Limit  int
	Cursor string
	RuleID string
}

func (p AlertingListAlertHistoryParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	set(q, "ruleId", p.RuleID)
	return q
}

// ListAlertHistory calls GET /api/v1/alerting/history: What alert rules notified of, newest
// first. It goes on from page to page.
func (r AlertingResource) ListAlertHistory(ctx context.Context, params AlertingListAlertHistoryParams, options ...Option) iter.Seq2[AlertHistoryItem, error] {
	return sendForAll[AlertHistoryItem](ctx, r.core, apiCall{method: "GET", path: "/api/v1/alerting/history", query: params.query()}, options)
}

// ListAlertHistoryPage reads one page of ListAlertHistory: the first, or the one that the cursor
// of params leads to.
func (r AlertingResource) ListAlertHistoryPage(ctx context.Context, params AlertingListAlertHistoryParams, options ...Option) (*Page[AlertHistoryItem], error) {
	return send[Page[AlertHistoryItem]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/alerting/history", query: params.query()}, options)
}

// PreviewAlertRule calls POST /api/v1/alerting/rules/preview: When a condition would have fired
// over the past hours; nothing is saved or sent.
func (r AlertingResource) PreviewAlertRule(ctx context.Context, body PreviewAlertRule, options ...Option) (*AlertPreview, error) {
	return send[AlertPreview](ctx, r.core, apiCall{method: "POST", path: "/api/v1/alerting/rules/preview", body: body}, options)
}

// AlertRulesResource has the calls of the API under /api/v1/alert-rules.
type AlertRulesResource struct{ core *core }

// CreateFromText calls POST /api/v1/alert-rules: Create an alert rule from a condition as text,
// which notifies by a connector.
func (r AlertRulesResource) CreateFromText(ctx context.Context, body CreateAlertRuleFromText, options ...Option) (*AlertRule, error) {
	return send[AlertRule](ctx, r.core, apiCall{method: "POST", path: "/api/v1/alert-rules", body: body}, options)
}

// ConnectorsResource has the calls of the API under /api/v1/connectors.
type ConnectorsResource struct{ core *core }

// Create calls POST /api/v1/connectors: Create a connector.
func (r ConnectorsResource) Create(ctx context.Context, body CreateConnector, options ...Option) (*Connector, error) {
	return send[Connector](ctx, r.core, apiCall{method: "POST", path: "/api/v1/connectors", body: body}, options)
}

// Update calls PUT /api/v1/connectors/{name}: Change a connector; fields left out stay as they
// are, also within config.
func (r ConnectorsResource) Update(ctx context.Context, name string, body UpdateConnector, options ...Option) (*Connector, error) {
	return send[Connector](ctx, r.core, apiCall{method: "PUT", path: "/api/v1/connectors/{name}", inPath: []string{name}, body: body}, options)
}

// ConnectorsListParams is what Connectors.List may be asked for; what is zero is left out.
type ConnectorsListParams struct {
	Limit  int
	Cursor string
}

func (p ConnectorsListParams) query() url.Values {
	q := url.Values{}
	set(q, "limit", p.Limit)
	set(q, "cursor", p.Cursor)
	return q
}

// List calls GET /api/v1/connectors: List connectors, newest first. It goes on from page to
// page.
func (r ConnectorsResource) List(ctx context.Context, params ConnectorsListParams, options ...Option) iter.Seq2[Connector, error] {
	return sendForAll[Connector](ctx, r.core, apiCall{method: "GET", path: "/api/v1/connectors", query: params.query()}, options)
}

// ListPage reads one page of List: the first, or the one that the cursor of params leads to.
func (r ConnectorsResource) ListPage(ctx context.Context, params ConnectorsListParams, options ...Option) (*Page[Connector], error) {
	return send[Page[Connector]](ctx, r.core, apiCall{method: "GET", path: "/api/v1/connectors", query: params.query()}, options)
}

// Get calls GET /api/v1/connectors/{name}: Read a connector; its secrets are masked.
func (r ConnectorsResource) Get(ctx context.Context, name string, options ...Option) (*Connector, error) {
	return send[Connector](ctx, r.core, apiCall{method: "GET", path: "/api/v1/connectors/{name}", inPath: []string{name}}, options)
}

// Delete calls DELETE /api/v1/connectors/{name}: Delete a connector that no alert rule names.
func (r ConnectorsResource) Delete(ctx context.Context, name string, options ...Option) error {
	return r.core.do(ctx, apiCall{method: "DELETE", path: "/api/v1/connectors/{name}", inPath: []string{name}}, options, nil)
}

// Test calls POST /api/v1/connectors/{name}/test: Send a sample through a connector, at once and
// without retries.
func (r ConnectorsResource) Test(ctx context.Context, name string, options ...Option) (*NotificationTested, error) {
	return send[NotificationTested](ctx, r.core, apiCall{method: "POST", path: "/api/v1/connectors/{name}/test", inPath: []string{name}}, options)
}
