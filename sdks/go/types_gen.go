// Code generated from the route catalog by `npm run sdks`; DO NOT EDIT.

package posthorn

import (
	"encoding/json"
	"time"
)

// CreateEvent is the body of Events.Create.
type CreateEvent struct {
	Destination string `json:"destination,omitzero"`
	EventType   string `json:"eventType,omitzero"`
	// required
	Payload      any               `json:"payload"`
	Headers      map[string]string `json:"headers,omitzero"`
	MaxAttempts  *int              `json:"maxAttempts,omitzero"`
	Priority     *int              `json:"priority,omitzero"`
	DelaySeconds *int              `json:"delaySeconds,omitzero"`
}

// EventCreated is what Events.Create answers.
type EventCreated struct {
	ID             string  `json:"id"`
	IdempotencyKey string  `json:"idempotencyKey"`
	Destination    *string `json:"destination"`
	EventType      *string `json:"eventType"`
	// one of "queued", "delivering", "delivered", "failed", "dead"
	Status      string    `json:"status"`
	Attempts    int       `json:"attempts"`
	MaxAttempts int       `json:"maxAttempts"`
	Priority    int       `json:"priority"`
	CreatedAt   time.Time `json:"createdAt"`
}

// CreateBatch is the body of Events.CreateBatch.
type CreateBatch struct {
	// required
	Events []CreateBatchEvent `json:"events"`
}

// CreateBatchEvent is a part of CreateBatch.
type CreateBatchEvent struct {
	// required
	IdempotencyKey string `json:"idempotencyKey"`
	// required
	Destination string `json:"destination"`
	// required
	Payload     any               `json:"payload"`
	Headers     map[string]string `json:"headers,omitzero"`
	MaxAttempts *int              `json:"maxAttempts,omitzero"`
	Priority    *int              `json:"priority,omitzero"`
}

// BatchCreated is what Events.CreateBatch answers.
type BatchCreated struct {
	Events []BatchCreatedEvent `json:"events"`
	Count  int                 `json:"count"`
}

// BatchCreatedEvent is a part of BatchCreated.
type BatchCreatedEvent struct {
	ID string `json:"id"`
	// one of "queued", "delivering", "delivered", "failed", "dead"
	Status    string    `json:"status"`
	CreatedAt time.Time `json:"createdAt"`
}

// RetryBatch is the body of Events.ReplayBatch.
type RetryBatch struct {
	EventIDs []string `json:"eventIds,omitzero"`
	// one of "failed", "dead"
	Status     string `json:"status,omitzero"`
	EndpointID string `json:"endpointId,omitzero"`
	Limit      *int   `json:"limit,omitzero"`
}

// BatchRetried is what Events.ReplayBatch answers.
type BatchRetried struct {
	Retried  int      `json:"retried"`
	Skipped  int      `json:"skipped"`
	EventIDs []string `json:"eventIds"`
}

// EventListItem is a record of Events.List.
type EventListItem struct {
	ID             string  `json:"id"`
	IdempotencyKey string  `json:"idempotencyKey"`
	Destination    *string `json:"destination"`
	EventType      *string `json:"eventType"`
	// one of "queued", "delivering", "delivered", "failed", "dead"
	Status      string    `json:"status"`
	Attempts    int       `json:"attempts"`
	MaxAttempts int       `json:"maxAttempts"`
	Priority    int       `json:"priority"`
	CreatedAt   time.Time `json:"createdAt"`
	ProjectID   string    `json:"projectId"`
	// When a delayed event is due; null without a delay.
	DeliverAt   *time.Time `json:"deliverAt"`
	DeliveredAt *time.Time `json:"deliveredAt"`
	DeadReason  *string    `json:"deadReason"`
	TraceID     string     `json:"traceId"`
	// of the last attempt, 0 when no response came; null before the first
	LastStatusCode *int `json:"lastStatusCode"`
	// of the last attempt, "" on success; null before the first
	LastError *string `json:"lastError"`
	// the earliest time of a next attempt; null when no delivery waits for one
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
}

// EventDetail is what Events.Get answers.
type EventDetail struct {
	ID             string  `json:"id"`
	IdempotencyKey string  `json:"idempotencyKey"`
	Destination    *string `json:"destination"`
	EventType      *string `json:"eventType"`
	// one of "queued", "delivering", "delivered", "failed", "dead"
	Status      string    `json:"status"`
	Attempts    int       `json:"attempts"`
	MaxAttempts int       `json:"maxAttempts"`
	Priority    int       `json:"priority"`
	CreatedAt   time.Time `json:"createdAt"`
	ProjectID   string    `json:"projectId"`
	// When a delayed event is due; null without a delay.
	DeliverAt   *time.Time        `json:"deliverAt"`
	DeliveredAt *time.Time        `json:"deliveredAt"`
	DeadReason  *string           `json:"deadReason"`
	TraceID     string            `json:"traceId"`
	Payload     json.RawMessage   `json:"payload"`
	Headers     map[string]string `json:"headers"`
	// in the order in which they were made; the newest 1,000 of an event with more
	DeliveryAttempts []EventDetailDeliveryAttempt `json:"deliveryAttempts"`
	// `deliveryAttempts` leaves out older attempts: GET /api/v1/events/{eventId}/deliveries pages
	// through all
	HasMoreAttempts bool `json:"hasMoreAttempts"`
}

// EventDetailDeliveryAttempt is a part of EventDetail.
type EventDetailDeliveryAttempt struct {
	ID            string    `json:"id"`
	AttemptNumber int       `json:"attemptNumber"`
	StatusCode    int       `json:"statusCode"`
	DurationMs    int       `json:"durationMs"`
	AttemptedAt   time.Time `json:"attemptedAt"`
}

// EditEvent is the body of Events.Edit.
type EditEvent struct {
	Destination string            `json:"destination,omitzero"`
	Payload     any               `json:"payload,omitzero"`
	Headers     map[string]string `json:"headers,omitzero"`
	Replay      *bool             `json:"replay,omitzero"`
}

// EventDeliveries is what Events.ListDeliveries answers.
type EventDeliveries struct {
	Deliveries []Attempt `json:"deliveries"`
	// of all the attempts of the event, also beyond this page
	Count int `json:"count"`
	// a page ends at `limit` attempts, or sooner at 4 MiB of kept bodies
	Pagination Pagination `json:"pagination"`
}

// Attempt is a part of EventDeliveries.
type Attempt struct {
	ID              string  `json:"id"`
	EventID         string  `json:"eventId"`
	DeliveryID      string  `json:"deliveryId"`
	EndpointID      *string `json:"endpointId"`
	EndpointVersion *int    `json:"endpointVersion"`
	EventType       *string `json:"eventType"`
	URL             string  `json:"url"`
	AttemptNumber   int     `json:"attemptNumber"`
	// 0 when no response came
	StatusCode      int               `json:"statusCode"`
	ResponseBody    string            `json:"responseBody"`
	ResponseHeaders map[string]string `json:"responseHeaders"`
	// null when it is the event's payload
	RequestBody *string `json:"requestBody"`
	// "" on success, else "<category>: <detail>"
	Error                string     `json:"error"`
	DurationMs           int        `json:"durationMs"`
	ProcessingOverheadUs int        `json:"processingOverheadUs"`
	AttemptedAt          time.Time  `json:"attemptedAt"`
	NextAttemptAt        *time.Time `json:"nextAttemptAt"`
}

// Pagination is a part of EventDeliveries.
type Pagination struct {
	HasMore bool    `json:"hasMore"`
	Cursor  *string `json:"cursor"`
}

// EventExplanation is what Events.Explain answers.
type EventExplanation struct {
	EventID     string  `json:"eventId"`
	EventType   *string `json:"eventType"`
	Destination *string `json:"destination"`
	// one of "queued", "delivering", "delivered", "failed", "dead"
	Status      string     `json:"status"`
	DeadReason  *string    `json:"deadReason"`
	CreatedAt   time.Time  `json:"createdAt"`
	FannedOutAt *time.Time `json:"fannedOutAt"`
	// of an event that is not fanned out yet
	WaitsFor *WaitsFor `json:"waitsFor"`
	// those with a delivery first; at most 1,000, fewer where filters are large or expensive
	Endpoints []EventExplanationEndpoint `json:"endpoints"`
	// `endpoints` leaves out some endpoints
	HasMoreEndpoints bool `json:"hasMoreEndpoints"`
	// at most 1,000
	Deliveries []ExplainedDelivery `json:"deliveries"`
	// `deliveries` leaves out some deliveries: GET /api/v1/events/{eventId}/deliveries pages
	// through their attempts
	HasMoreDeliveries bool `json:"hasMoreDeliveries"`
}

// WaitsFor is a part of EventExplanation.
type WaitsFor struct {
	// one of "delay", "fan_out", "in_flight", "backoff", "paused", "disabled", "circuit",
	// "rate_limit", "overflow", "lane", "poll"
	Reason string `json:"reason"`
	// when it is looked at again; null: nobody knows
	Until *string `json:"until"`
}

// EventExplanationEndpoint is a part of EventExplanation.
type EventExplanationEndpoint struct {
	EndpointID  string  `json:"endpointId"`
	Description *string `json:"description"`
	URL         string  `json:"url"`
	// one of "active", "paused", "disabled", "deleted"
	Status  string `json:"status"`
	Matched bool   `json:"matched"`
	// why it did not match; one of "project", "type", "filter", "deleted", "created_later", "test",
	// "destination", "changed"
	Reason *string `json:"reason"`
	// the first condition that failed, and the values that its path found
	Filter     *EventExplanationEndpointFilter `json:"filter"`
	DeliveryID *string                         `json:"deliveryId"`
}

// EventExplanationEndpointFilter is a part of EventExplanationEndpoint.
type EventExplanationEndpointFilter struct {
	Condition FilterRule `json:"condition"`
	Index     int        `json:"index"`
	// the first ten, and long ones cut short
	Found []json.RawMessage `json:"found"`
	// the filter took more steps on this payload than it may, or asked for what is not looked at,
	// so it does not match
	TooCostly bool `json:"tooCostly"`
}

// FilterRule is a part of EventExplanationEndpointFilter.
type FilterRule struct {
	Field string `json:"field"`
	// one of "eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "startsWith",
	// "endsWith", "exists", "regex"
	Operator string `json:"operator"`
	Value    any    `json:"value"`
}

// ExplainedDelivery is a part of EventExplanation.
type ExplainedDelivery struct {
	ID string `json:"id"`
	// null: a direct event
	EndpointID *string `json:"endpointId"`
	// one of "queued", "delivering", "waiting", "delivered", "dead"
	State string `json:"state"`
	// since the last replay
	Attempts    int       `json:"attempts"`
	MaxAttempts int       `json:"maxAttempts"`
	WaitsFor    *WaitsFor `json:"waitsFor"`
	LastError   *string   `json:"lastError"`
	DeadReason  *string   `json:"deadReason"`
}

// DeliveryPage is what Deliveries.List answers.
type DeliveryPage struct {
	Data       []Attempt        `json:"data"`
	Pagination OffsetPagination `json:"pagination"`
}

// OffsetPagination is a part of DeliveryPage.
type OffsetPagination struct {
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
	// exact to 10,000, where it stops
	Total   int  `json:"total"`
	HasMore bool `json:"hasMore"`
}

// AttemptDetail is what Deliveries.Get answers.
type AttemptDetail struct {
	ID              string  `json:"id"`
	EventID         string  `json:"eventId"`
	DeliveryID      string  `json:"deliveryId"`
	EndpointID      *string `json:"endpointId"`
	EndpointVersion *int    `json:"endpointVersion"`
	EventType       *string `json:"eventType"`
	URL             string  `json:"url"`
	AttemptNumber   int     `json:"attemptNumber"`
	// 0 when no response came
	StatusCode      int               `json:"statusCode"`
	ResponseBody    string            `json:"responseBody"`
	ResponseHeaders map[string]string `json:"responseHeaders"`
	// null when it is the event's payload
	RequestBody *string `json:"requestBody"`
	// "" on success, else "<category>: <detail>"
	Error                string            `json:"error"`
	DurationMs           int               `json:"durationMs"`
	ProcessingOverheadUs int               `json:"processingOverheadUs"`
	AttemptedAt          time.Time         `json:"attemptedAt"`
	NextAttemptAt        *time.Time        `json:"nextAttemptAt"`
	RequestHeaders       map[string]string `json:"requestHeaders"`
}

// PollEventsAnswer is what Poll.Receive answers.
type PollEventsAnswer struct {
	Events []PollEventsAnswerEvent `json:"events"`
	Count  int                     `json:"count"`
}

// PollEventsAnswerEvent is a part of PollEventsAnswer.
type PollEventsAnswerEvent struct {
	ID        string          `json:"id"`
	EventType *string         `json:"eventType"`
	Payload   json.RawMessage `json:"payload"`
	// the endpoint's custom headers and the event's, which win
	Headers   map[string]string `json:"headers"`
	CreatedAt time.Time         `json:"createdAt"`
}

// AckPolled is the body of Poll.Ack.
type AckPolled struct {
	// required
	EndpointID string `json:"endpoint_id"`
	// required
	EventIDs []string `json:"event_ids"`
}

// AckPolledAnswer is what Poll.Ack answers.
type AckPolledAnswer struct {
	Acknowledged []string `json:"acknowledged"`
	// no event of that id waits at the endpoint: unknown, or dead by now
	NotFound []string `json:"notFound"`
}

// CreateEndpoint is the body of Endpoints.Create.
type CreateEndpoint struct {
	// required
	URL string `json:"url"`
	// required
	EventTypes       []string               `json:"eventTypes"`
	Description      Nullable[string]       `json:"description,omitzero"`
	MaxRetries       *int                   `json:"maxRetries,omitzero"`
	RetryBackoffMs   *int                   `json:"retryBackoffMs,omitzero"`
	RetryBackoffMax  *int                   `json:"retryBackoffMax,omitzero"`
	RetryBackoffMult *float64               `json:"retryBackoffMult,omitzero"`
	TimeoutMs        *int                   `json:"timeoutMs,omitzero"`
	Filter           Nullable[[]FilterRule] `json:"filter,omitzero"`
	Transformation   Nullable[string]       `json:"transformation,omitzero"`
	FIFO             *bool                  `json:"fifo,omitzero"`
	FIFOPartitionKey Nullable[string]       `json:"fifoPartitionKey,omitzero"`
	RateLimitPerSec  *int                   `json:"rateLimitPerSec,omitzero"`
	CircuitThreshold *int                   `json:"circuitThreshold,omitzero"`
	CircuitResetMs   *int                   `json:"circuitResetMs,omitzero"`
	// one of "push", "poll", "storage"
	DeliveryMode  string                      `json:"deliveryMode,omitzero"`
	StorageConfig Nullable[StorageConfig]     `json:"storageConfig,omitzero"`
	CustomHeaders Nullable[map[string]string] `json:"customHeaders,omitzero"`
	AllowedCIDRs  Nullable[[]string]          `json:"allowedCidrs,omitzero"`
	BlockedCIDRs  Nullable[[]string]          `json:"blockedCidrs,omitzero"`
	SigningSecret Nullable[string]            `json:"signingSecret,omitzero"`
	MTLSCert      Nullable[string]            `json:"mtlsCert,omitzero"`
	MTLSKey       Nullable[string]            `json:"mtlsKey,omitzero"`
	// one of "active", "paused"
	Status string `json:"status,omitzero"`
}

// StorageConfig is a part of CreateEndpoint.
type StorageConfig struct {
	// required; one of "s3", "file"
	Type   string `json:"type"`
	Bucket string `json:"bucket,omitzero"`
	Region string `json:"region,omitzero"`
	Prefix string `json:"prefix,omitzero"`
	// of a store other than Amazon’s
	Endpoint string `json:"endpoint,omitzero"`
	// the bucket in the path, not in the host; default: true with an `endpoint`
	ForcePathStyle  *bool            `json:"forcePathStyle,omitzero"`
	AccessKeyID     Nullable[string] `json:"accessKeyId,omitzero"`
	SecretAccessKey Nullable[string] `json:"secretAccessKey,omitzero"`
}

// EndpointCreated is what Endpoints.Create answers.
type EndpointCreated struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectId"`
	// one of "active", "paused", "disabled"
	Status string `json:"status"`
	// one of "closed", "open", "half_open"
	CircuitState     string            `json:"circuitState"`
	Version          int               `json:"version"`
	URL              string            `json:"url"`
	EventTypes       []string          `json:"eventTypes"`
	Description      *string           `json:"description"`
	Filter           []FilterRule      `json:"filter"`
	Transformation   *string           `json:"transformation"`
	FIFO             bool              `json:"fifo"`
	FIFOPartitionKey *string           `json:"fifoPartitionKey"`
	MaxRetries       int               `json:"maxRetries"`
	RetryBackoffMs   int               `json:"retryBackoffMs"`
	RetryBackoffMax  int               `json:"retryBackoffMax"`
	RetryBackoffMult float64           `json:"retryBackoffMult"`
	TimeoutMs        int               `json:"timeoutMs"`
	RateLimitPerSec  int               `json:"rateLimitPerSec"`
	CircuitThreshold int               `json:"circuitThreshold"`
	CircuitResetMs   int               `json:"circuitResetMs"`
	CustomHeaders    map[string]string `json:"customHeaders"`
	AllowedCIDRs     []string          `json:"allowedCidrs"`
	BlockedCIDRs     []string          `json:"blockedCidrs"`
	// one of "push", "poll", "storage"
	DeliveryMode  string           `json:"deliveryMode"`
	StorageConfig *EndpointStorage `json:"storageConfig"`
	// last 4 characters of `accessKeyId`; null: there are no credentials
	StorageKeyHint *string `json:"storageKeyHint"`
	HasMTLS        bool    `json:"hasMtls"`
	// the client certificate, PEM; its key is never shown
	MTLSCert *string `json:"mtlsCert"`
	// last 4 characters; null: the global secret
	SigningSecretHint *string   `json:"signingSecretHint"`
	CreatedAt         time.Time `json:"createdAt"`
	UpdatedAt         time.Time `json:"updatedAt"`
	SigningSecret     *string   `json:"signingSecret"`
}

// EndpointStorage is a part of EndpointCreated.
type EndpointStorage struct {
	// one of "s3", "file"
	Type   string `json:"type"`
	Bucket string `json:"bucket,omitzero"`
	Region string `json:"region,omitzero"`
	Prefix string `json:"prefix,omitzero"`
	// of a store other than Amazon’s
	Endpoint string `json:"endpoint,omitzero"`
	// the bucket in the path, not in the host; default: true with an `endpoint`
	ForcePathStyle *bool `json:"forcePathStyle,omitzero"`
}

// Endpoint is a record of Endpoints.List.
type Endpoint struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectId"`
	// one of "active", "paused", "disabled"
	Status string `json:"status"`
	// one of "closed", "open", "half_open"
	CircuitState     string            `json:"circuitState"`
	Version          int               `json:"version"`
	URL              string            `json:"url"`
	EventTypes       []string          `json:"eventTypes"`
	Description      *string           `json:"description"`
	Filter           []FilterRule      `json:"filter"`
	Transformation   *string           `json:"transformation"`
	FIFO             bool              `json:"fifo"`
	FIFOPartitionKey *string           `json:"fifoPartitionKey"`
	MaxRetries       int               `json:"maxRetries"`
	RetryBackoffMs   int               `json:"retryBackoffMs"`
	RetryBackoffMax  int               `json:"retryBackoffMax"`
	RetryBackoffMult float64           `json:"retryBackoffMult"`
	TimeoutMs        int               `json:"timeoutMs"`
	RateLimitPerSec  int               `json:"rateLimitPerSec"`
	CircuitThreshold int               `json:"circuitThreshold"`
	CircuitResetMs   int               `json:"circuitResetMs"`
	CustomHeaders    map[string]string `json:"customHeaders"`
	AllowedCIDRs     []string          `json:"allowedCidrs"`
	BlockedCIDRs     []string          `json:"blockedCidrs"`
	// one of "push", "poll", "storage"
	DeliveryMode  string           `json:"deliveryMode"`
	StorageConfig *EndpointStorage `json:"storageConfig"`
	// last 4 characters of `accessKeyId`; null: there are no credentials
	StorageKeyHint *string `json:"storageKeyHint"`
	HasMTLS        bool    `json:"hasMtls"`
	// the client certificate, PEM; its key is never shown
	MTLSCert *string `json:"mtlsCert"`
	// last 4 characters; null: the global secret
	SigningSecretHint *string   `json:"signingSecretHint"`
	CreatedAt         time.Time `json:"createdAt"`
	UpdatedAt         time.Time `json:"updatedAt"`
}

// UpdateEndpoint is the body of Endpoints.Update.
type UpdateEndpoint struct {
	URL              string                 `json:"url,omitzero"`
	EventTypes       []string               `json:"eventTypes,omitzero"`
	Description      Nullable[string]       `json:"description,omitzero"`
	MaxRetries       *int                   `json:"maxRetries,omitzero"`
	RetryBackoffMs   *int                   `json:"retryBackoffMs,omitzero"`
	RetryBackoffMax  *int                   `json:"retryBackoffMax,omitzero"`
	RetryBackoffMult *float64               `json:"retryBackoffMult,omitzero"`
	TimeoutMs        *int                   `json:"timeoutMs,omitzero"`
	Filter           Nullable[[]FilterRule] `json:"filter,omitzero"`
	Transformation   Nullable[string]       `json:"transformation,omitzero"`
	FIFO             *bool                  `json:"fifo,omitzero"`
	FIFOPartitionKey Nullable[string]       `json:"fifoPartitionKey,omitzero"`
	RateLimitPerSec  *int                   `json:"rateLimitPerSec,omitzero"`
	CircuitThreshold *int                   `json:"circuitThreshold,omitzero"`
	CircuitResetMs   *int                   `json:"circuitResetMs,omitzero"`
	// one of "push", "poll", "storage"
	DeliveryMode  string                      `json:"deliveryMode,omitzero"`
	StorageConfig Nullable[StorageConfig]     `json:"storageConfig,omitzero"`
	CustomHeaders Nullable[map[string]string] `json:"customHeaders,omitzero"`
	AllowedCIDRs  Nullable[[]string]          `json:"allowedCidrs,omitzero"`
	BlockedCIDRs  Nullable[[]string]          `json:"blockedCidrs,omitzero"`
	SigningSecret Nullable[string]            `json:"signingSecret,omitzero"`
	MTLSCert      Nullable[string]            `json:"mtlsCert,omitzero"`
	MTLSKey       Nullable[string]            `json:"mtlsKey,omitzero"`
}

// EndpointVersion is a record of Endpoints.ListVersions.
type EndpointVersion struct {
	Version   int                   `json:"version"`
	Config    EndpointVersionConfig `json:"config"`
	ChangedBy string                `json:"changedBy"`
	ChangedAt time.Time             `json:"changedAt"`
	// fields that differ from the version before
	Changes []string `json:"changes"`
}

// EndpointVersionConfig is a part of EndpointVersion.
type EndpointVersionConfig struct {
	URL              string            `json:"url"`
	EventTypes       []string          `json:"eventTypes"`
	Description      *string           `json:"description"`
	Filter           []FilterRule      `json:"filter"`
	Transformation   *string           `json:"transformation"`
	FIFO             bool              `json:"fifo"`
	FIFOPartitionKey *string           `json:"fifoPartitionKey"`
	MaxRetries       int               `json:"maxRetries"`
	RetryBackoffMs   int               `json:"retryBackoffMs"`
	RetryBackoffMax  int               `json:"retryBackoffMax"`
	RetryBackoffMult float64           `json:"retryBackoffMult"`
	TimeoutMs        int               `json:"timeoutMs"`
	RateLimitPerSec  int               `json:"rateLimitPerSec"`
	CircuitThreshold int               `json:"circuitThreshold"`
	CircuitResetMs   int               `json:"circuitResetMs"`
	CustomHeaders    map[string]string `json:"customHeaders"`
	AllowedCIDRs     []string          `json:"allowedCidrs"`
	BlockedCIDRs     []string          `json:"blockedCidrs"`
	// one of "push", "poll", "storage"
	DeliveryMode  string           `json:"deliveryMode"`
	StorageConfig *EndpointStorage `json:"storageConfig"`
}

// VersionDiff is what Endpoints.DiffVersions answers.
type VersionDiff struct {
	V1      int                 `json:"v1"`
	V2      int                 `json:"v2"`
	Changes []VersionDiffChange `json:"changes"`
}

// VersionDiffChange is a part of VersionDiff.
type VersionDiffChange struct {
	Field string          `json:"field"`
	From  json.RawMessage `json:"from"`
	To    json.RawMessage `json:"to"`
}

// RotateSecret is the body of Endpoints.RotateSecret.
type RotateSecret struct {
	NewSecret          string `json:"newSecret,omitzero"`
	GracePeriodMinutes *int   `json:"gracePeriodMinutes,omitzero"`
}

// EndpointRotated is what Endpoints.RotateSecret answers.
type EndpointRotated struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectId"`
	// one of "active", "paused", "disabled"
	Status string `json:"status"`
	// one of "closed", "open", "half_open"
	CircuitState     string            `json:"circuitState"`
	Version          int               `json:"version"`
	URL              string            `json:"url"`
	EventTypes       []string          `json:"eventTypes"`
	Description      *string           `json:"description"`
	Filter           []FilterRule      `json:"filter"`
	Transformation   *string           `json:"transformation"`
	FIFO             bool              `json:"fifo"`
	FIFOPartitionKey *string           `json:"fifoPartitionKey"`
	MaxRetries       int               `json:"maxRetries"`
	RetryBackoffMs   int               `json:"retryBackoffMs"`
	RetryBackoffMax  int               `json:"retryBackoffMax"`
	RetryBackoffMult float64           `json:"retryBackoffMult"`
	TimeoutMs        int               `json:"timeoutMs"`
	RateLimitPerSec  int               `json:"rateLimitPerSec"`
	CircuitThreshold int               `json:"circuitThreshold"`
	CircuitResetMs   int               `json:"circuitResetMs"`
	CustomHeaders    map[string]string `json:"customHeaders"`
	AllowedCIDRs     []string          `json:"allowedCidrs"`
	BlockedCIDRs     []string          `json:"blockedCidrs"`
	// one of "push", "poll", "storage"
	DeliveryMode  string           `json:"deliveryMode"`
	StorageConfig *EndpointStorage `json:"storageConfig"`
	// last 4 characters of `accessKeyId`; null: there are no credentials
	StorageKeyHint *string `json:"storageKeyHint"`
	HasMTLS        bool    `json:"hasMtls"`
	// the client certificate, PEM; its key is never shown
	MTLSCert *string `json:"mtlsCert"`
	// last 4 characters; null: the global secret
	SigningSecretHint *string   `json:"signingSecretHint"`
	CreatedAt         time.Time `json:"createdAt"`
	UpdatedAt         time.Time `json:"updatedAt"`
	SigningSecret     string    `json:"signingSecret"`
	// until then the former secret signs as well
	PreviousValidUntil *string `json:"previousValidUntil"`
}

// SetMTLS is the body of Endpoints.SetMTLS.
type SetMTLS struct {
	// required
	CertPEM string `json:"certPem"`
	// required
	KeyPEM string `json:"keyPem"`
}

// TestEndpoint is the body of Endpoints.Test.
type TestEndpoint struct {
	EventType string `json:"eventType,omitzero"`
	Payload   any    `json:"payload,omitzero"`
}

// EventSummary is what Endpoints.Test answers.
type EventSummary struct {
	ID             string  `json:"id"`
	IdempotencyKey string  `json:"idempotencyKey"`
	Destination    *string `json:"destination"`
	EventType      *string `json:"eventType"`
	// one of "queued", "delivering", "delivered", "failed", "dead"
	Status      string    `json:"status"`
	Attempts    int       `json:"attempts"`
	MaxAttempts int       `json:"maxAttempts"`
	Priority    int       `json:"priority"`
	CreatedAt   time.Time `json:"createdAt"`
	ProjectID   string    `json:"projectId"`
	// When a delayed event is due; null without a delay.
	DeliverAt   *time.Time `json:"deliverAt"`
	DeliveredAt *time.Time `json:"deliveredAt"`
	DeadReason  *string    `json:"deadReason"`
	TraceID     string     `json:"traceId"`
}

// CreateReplay is the body of Endpoints.Replay.
type CreateReplay struct {
	// required
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"`
	// one of "dead", "failed"; each one of "dead", "failed"
	Status []string `json:"status,omitzero"`
}

// Replay is what Endpoints.Replay answers.
type Replay struct {
	ID         string `json:"id"`
	EndpointID string `json:"endpointId"`
	// one of "running", "done"
	Status string `json:"status"`
	// as found at the start; once done, what was queued again
	Total     int        `json:"total"`
	Done      int        `json:"done"`
	CreatedAt time.Time  `json:"createdAt"`
	EndedAt   *time.Time `json:"endedAt"`
}

// EgressIPs is what EgressIPs.List answers.
type EgressIPs struct {
	IPs []string `json:"ips"`
}

// GlobalSecret is what SigningSecret.Get answers.
type GlobalSecret struct {
	SigningSecret      string  `json:"signingSecret"`
	PreviousValidUntil *string `json:"previousValidUntil"`
}

// TestTransformation is the body of Transformations.Test.
type TestTransformation struct {
	// required
	Transformation string `json:"transformation"`
	// required
	Event TestTransformationEvent `json:"event"`
}

// TestTransformationEvent is a part of TestTransformation.
type TestTransformationEvent struct {
	ID        string `json:"id,omitzero"`
	EventType string `json:"eventType,omitzero"`
	// required
	Payload   any                         `json:"payload"`
	Headers   Nullable[map[string]string] `json:"headers,omitzero"`
	CreatedAt time.Time                   `json:"createdAt,omitzero"`
}

// TestTransformationAnswer is what Transformations.Test answers.
type TestTransformationAnswer struct {
	// what would be sent; null without an error: the delivery would be dropped
	Result *TestTransformationAnswerResult `json:"result"`
	Error  *string                         `json:"error"`
}

// TestTransformationAnswerResult is a part of TestTransformationAnswer.
type TestTransformationAnswerResult struct {
	Payload json.RawMessage   `json:"payload"`
	Headers map[string]string `json:"headers"`
}

// CreateEventType is the body of EventTypes.Create.
type CreateEventType struct {
	// required
	Name          string           `json:"name"`
	Description   Nullable[string] `json:"description,omitzero"`
	Schema        Nullable[any]    `json:"schema,omitzero"`
	SchemaVersion Nullable[string] `json:"schemaVersion,omitzero"`
}

// EventType is what EventTypes.Create answers.
type EventType struct {
	ID            string          `json:"id"`
	ProjectID     string          `json:"projectId"`
	Name          string          `json:"name"`
	Description   *string         `json:"description"`
	Schema        json.RawMessage `json:"schema"`
	SchemaVersion *string         `json:"schemaVersion"`
	CreatedAt     time.Time       `json:"createdAt"`
	UpdatedAt     time.Time       `json:"updatedAt"`
}

// UpdateEventType is the body of EventTypes.Update.
type UpdateEventType struct {
	Name          string           `json:"name,omitzero"`
	Description   Nullable[string] `json:"description,omitzero"`
	Schema        Nullable[any]    `json:"schema,omitzero"`
	SchemaVersion Nullable[string] `json:"schemaVersion,omitzero"`
}

// CreateInboundEndpoint is the body of InboundEndpoints.Create.
type CreateInboundEndpoint struct {
	// required
	Name       string `json:"name"`
	PathSuffix string `json:"pathSuffix,omitzero"`
	// required
	Source           string             `json:"source"`
	SourceConfig     map[string]any     `json:"sourceConfig,omitzero"`
	DestinationIDs   Nullable[[]string] `json:"destinationIds,omitzero"`
	EventTypeMapping Nullable[string]   `json:"eventTypeMapping,omitzero"`
	Description      Nullable[string]   `json:"description,omitzero"`
	Transformation   Nullable[string]   `json:"transformation,omitzero"`
	// one of "active", "inactive"
	Status string `json:"status,omitzero"`
}

// InboundEndpoint is what InboundEndpoints.Create answers.
type InboundEndpoint struct {
	ID               string         `json:"id"`
	ProjectID        string         `json:"projectId"`
	Name             string         `json:"name"`
	PathSuffix       string         `json:"pathSuffix"`
	Source           string         `json:"source"`
	SourceConfig     map[string]any `json:"sourceConfig"`
	DestinationIDs   []string       `json:"destinationIds"`
	EventTypeMapping *string        `json:"eventTypeMapping"`
	Description      *string        `json:"description"`
	Transformation   *string        `json:"transformation"`
	// one of "active", "inactive"
	Status string `json:"status"`
	// where the platform sends its webhooks
	URL            string     `json:"url"`
	ReceivedCount  int        `json:"receivedCount"`
	RejectedCount  int        `json:"rejectedCount"`
	LastReceivedAt *time.Time `json:"lastReceivedAt"`
	// the sender only gets 401
	LastRejection *InboundEndpointLastRejection `json:"lastRejection"`
	CreatedAt     time.Time                     `json:"createdAt"`
	UpdatedAt     time.Time                     `json:"updatedAt"`
}

// InboundEndpointLastRejection is a part of InboundEndpoint.
type InboundEndpointLastRejection struct {
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
}

// PatchInboundEndpoint is the body of InboundEndpoints.Update.
type PatchInboundEndpoint struct {
	Name             string             `json:"name,omitzero"`
	PathSuffix       string             `json:"pathSuffix,omitzero"`
	Source           string             `json:"source,omitzero"`
	SourceConfig     map[string]any     `json:"sourceConfig,omitzero"`
	DestinationIDs   Nullable[[]string] `json:"destinationIds,omitzero"`
	EventTypeMapping Nullable[string]   `json:"eventTypeMapping,omitzero"`
	Description      Nullable[string]   `json:"description,omitzero"`
	Transformation   Nullable[string]   `json:"transformation,omitzero"`
	// one of "active", "inactive"
	Status string `json:"status,omitzero"`
}

// VerifyInbound is the body of InboundEndpoints.Verify.
type VerifyInbound struct {
	// required
	Headers map[string]string `json:"headers"`
	// required; exactly as it was sent
	Body string `json:"body"`
	URL  string `json:"url,omitzero"`
	// one of "GET", "HEAD", "POST"
	Method string `json:"method,omitzero"`
}

// InboundVerified is what InboundEndpoints.Verify answers.
type InboundVerified struct {
	Verified   bool                  `json:"verified"`
	Reason     *string               `json:"reason"`
	Steps      []InboundVerifiedStep `json:"steps"`
	EventType  *string               `json:"eventType"`
	DeliveryID *string               `json:"deliveryId"`
}

// InboundVerifiedStep is a part of InboundVerified.
type InboundVerifiedStep struct {
	Step     string `json:"step"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
	Ok       bool   `json:"ok"`
}

// InboundPresetPage is what InboundPresets.List answers.
type InboundPresetPage struct {
	Data       []InboundPreset `json:"data"`
	Pagination Pagination      `json:"pagination"`
}

// InboundPreset is a part of InboundPresetPage.
type InboundPreset struct {
	Source           string   `json:"source"`
	Name             string   `json:"name"`
	Description      string   `json:"description"`
	Mode             string   `json:"mode"`
	ConfigKeys       []string `json:"configKeys"`
	SignatureHeaders []string `json:"signatureHeaders"`
	EventTypePath    *string  `json:"eventTypePath"`
	Docs             string   `json:"docs"`
}

// CreateAPIKey is the body of APIKeys.Create.
type CreateAPIKey struct {
	// required
	Name string `json:"name"`
	// required; each one of "*", "events:read", "events:write", "deliveries:read",
	// "deliveries:write", "endpoints:read", "endpoints:write", "event-types:read",
	// "event-types:write", "inbound:read", "inbound:write", "alerts:read", "alerts:write",
	// "connectors:read", "connectors:write", "analytics:read", "analytics:write", "api-keys:read",
	// "api-keys:write", "team:read", "team:write", "projects:read", "projects:write",
	// "sub-accounts:read", "sub-accounts:write", "audit:read", "audit:write", "billing:read",
	// "billing:write", "account:read", "account:write"
	Scopes    []string            `json:"scopes"`
	RateLimit Nullable[int]       `json:"rateLimit,omitzero"`
	ExpiresAt Nullable[time.Time] `json:"expiresAt,omitzero"`
}

// APIKeyCreated is what APIKeys.Create answers.
type APIKeyCreated struct {
	ID string `json:"id"`
	// set: the key is bound to this project
	ProjectID *string  `json:"projectId"`
	Name      string   `json:"name"`
	KeyPrefix string   `json:"keyPrefix"`
	Scopes    []string `json:"scopes"`
	// requests a second; null: none
	RateLimit *int       `json:"rateLimit"`
	ExpiresAt *time.Time `json:"expiresAt"`
	// false once revoked or expired
	IsActive  bool      `json:"isActive"`
	CreatedAt time.Time `json:"createdAt"`
	// shown this once
	Key string `json:"key"`
}

// APIKey is a record of APIKeys.List.
type APIKey struct {
	ID string `json:"id"`
	// set: the key is bound to this project
	ProjectID *string  `json:"projectId"`
	Name      string   `json:"name"`
	KeyPrefix string   `json:"keyPrefix"`
	Scopes    []string `json:"scopes"`
	// requests a second; null: none
	RateLimit *int       `json:"rateLimit"`
	ExpiresAt *time.Time `json:"expiresAt"`
	// false once revoked or expired
	IsActive  bool      `json:"isActive"`
	CreatedAt time.Time `json:"createdAt"`
}

// CreateProject is the body of Projects.Create.
type CreateProject struct {
	// required
	Name string `json:"name"`
	// one of "production", "staging", "development"
	Environment string `json:"environment,omitzero"`
}

// Project is what Projects.Create answers.
type Project struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// one of "production", "staging", "development"
	Environment string    `json:"environment"`
	IsDefault   bool      `json:"isDefault"`
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`
}

// UpdateProject is the body of Projects.Update.
type UpdateProject struct {
	Name string `json:"name,omitzero"`
	// one of "production", "staging", "development"
	Environment string `json:"environment,omitzero"`
}

// AuditLog is a record of AuditLogs.List.
type AuditLog struct {
	ID         string  `json:"id"`
	Resource   string  `json:"resource"`
	ResourceID *string `json:"resourceId"`
	Action     string  `json:"action"`
	// the person: also who made the API key
	ActorUserID *string       `json:"actorUserId"`
	Actor       AuditLogActor `json:"actor"`
	// `changes`: a list of `{field, from, to}`; secrets are hints only
	Metadata  json.RawMessage `json:"metadata"`
	IP        *string         `json:"ip"`
	UserAgent *string         `json:"userAgent"`
	RequestID *string         `json:"requestId"`
	CreatedAt time.Time       `json:"createdAt"`
}

// AuditLogActor is a part of AuditLog.
type AuditLogActor struct {
	// one of "user", "api_key", "sub_account", "system"
	Type string  `json:"type"`
	ID   *string `json:"id"`
	Name *string `json:"name"`
}

// Me is what Me.Get answers.
type Me struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// one of "free", "starter", "growth", "scale", "self_hosted"
	Plan               string    `json:"plan"`
	CreatedAt          time.Time `json:"createdAt"`
	OnboardingComplete bool      `json:"onboardingComplete"`
	// null: an API key
	User *AuthUser `json:"user"`
	// null: an API key; one of "viewer", "editor", "admin"
	Role   *string  `json:"role"`
	Scopes []string `json:"scopes"`
}

// AuthUser is a part of Me.
type AuthUser struct {
	ID            string  `json:"id"`
	Email         string  `json:"email"`
	Name          *string `json:"name"`
	EmailVerified bool    `json:"emailVerified"`
	// a second factor is asked for after the password
	MFAEnabled bool `json:"mfaEnabled"`
}

// CompleteOnboarding is the body of Me.CompleteOnboarding.
type CompleteOnboarding struct {
	CompanyName string `json:"companyName,omitzero"`
}

// SecuritySettings is what Me.GetSecurity answers.
type SecuritySettings struct {
	// members without a second factor may only enrol one
	RequireMFA bool `json:"requireMfa"`
}

// UpdateSecurity is the body of Me.UpdateSecurity.
type UpdateSecurity struct {
	// required
	RequireMFA bool `json:"requireMfa"`
}

// Entitlements is what Entitlements.Get answers.
type Entitlements struct {
	// one of "free", "starter", "growth", "scale", "self_hosted"
	Plan     string               `json:"plan"`
	Limits   PlanLimits           `json:"limits"`
	Features EntitlementsFeatures `json:"features"`
}

// PlanLimits is a part of Entitlements.
type PlanLimits struct {
	// 0: no limit
	EventsPerMonth int `json:"eventsPerMonth"`
	// over all API keys and sessions together; 0: no limit
	RequestsPerSecond int `json:"requestsPerSecond"`
	// 0: no limit
	Endpoints int `json:"endpoints"`
	// the largest `rateLimitPerSec`; 0: no limit
	EndpointRatePerSec int           `json:"endpointRatePerSec"`
	RetentionDays      RetentionDays `json:"retentionDays"`
}

// RetentionDays is a part of PlanLimits.
type RetentionDays struct {
	// in days; 0: for ever
	Events int `json:"events"`
	// in days; 0: for ever
	Attempts int `json:"attempts"`
	// in days; 0: for ever
	AuditLogs int `json:"auditLogs"`
	// in days; 0: for ever
	AuthAudit int `json:"authAudit"`
}

// EntitlementsFeatures is a part of Entitlements.
type EntitlementsFeatures struct {
	Transformations bool `json:"transformations"`
	Inbound         bool `json:"inbound"`
	Alerting        bool `json:"alerting"`
	SubAccounts     bool `json:"sub_accounts"`
	SSO             bool `json:"sso"`
	SAML            bool `json:"saml"`
	SCIM            bool `json:"scim"`
	Gdpr            bool `json:"gdpr"`
}

// CurrentUsage is what Usage.GetCurrent answers.
type CurrentUsage struct {
	Period CurrentUsagePeriod `json:"period"`
	// accepted in the period; at most two seconds old
	Events int `json:"events"`
	// 0: no limit
	Limit int `json:"limit"`
	// null: no limit
	Remaining *int      `json:"remaining"`
	ResetsAt  time.Time `json:"resetsAt"`
}

// CurrentUsagePeriod is a part of CurrentUsage.
type CurrentUsagePeriod struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// UsageHistory is what Usage.GetHistory answers.
type UsageHistory struct {
	Data []UsageHistoryData `json:"data"`
}

// UsageHistoryData is a part of UsageHistory.
type UsageHistoryData struct {
	// in UTC, as 2026-11
	Month    string `json:"month"`
	Events   int    `json:"events"`
	Attempts int    `json:"attempts"`
}

// GetAnalyticsSummaryAnswer is what Analytics.GetSummary answers.
type GetAnalyticsSummaryAnswer struct {
	From string `json:"from"`
	To   string `json:"to"`
	// one of "hour", "day"
	Bucket string                          `json:"bucket"`
	Data   []GetAnalyticsSummaryAnswerData `json:"data"`
}

// GetAnalyticsSummaryAnswerData is a part of GetAnalyticsSummaryAnswer.
type GetAnalyticsSummaryAnswerData struct {
	// its beginning
	Bucket string `json:"bucket"`
	// events accepted; of an endpoint: deliveries that were made for it
	Sent int `json:"sent"`
	// deliveries, acknowledged ones among them
	Delivered int `json:"delivered"`
	// attempts that failed
	Failed int `json:"failed"`
	// deliveries that were given up
	DeadLettered int `json:"deadLettered"`
	Attempts     int `json:"attempts"`
	// `delivered` among `delivered` and `failed`, in per cent; 0: there were none
	SuccessRate float64 `json:"successRate"`
}

// GetAnalyticsOutcomesAnswer is what Analytics.GetOutcomes answers.
type GetAnalyticsOutcomesAnswer struct {
	From string `json:"from"`
	To   string `json:"to"`
	// one of "hour", "day"
	Bucket string                           `json:"bucket"`
	Data   []GetAnalyticsOutcomesAnswerData `json:"data"`
}

// GetAnalyticsOutcomesAnswerData is a part of GetAnalyticsOutcomesAnswer.
type GetAnalyticsOutcomesAnswerData struct {
	// its beginning
	Bucket  string `json:"bucket"`
	Success int    `json:"success"`
	// without timeouts
	Failure int `json:"failure"`
	Timeout int `json:"timeout"`
}

// GetAnalyticsThroughputAnswer is what Analytics.GetThroughput answers.
type GetAnalyticsThroughputAnswer struct {
	From string `json:"from"`
	To   string `json:"to"`
	// one of "hour", "day"
	Bucket string                             `json:"bucket"`
	Data   []GetAnalyticsThroughputAnswerData `json:"data"`
}

// GetAnalyticsThroughputAnswerData is a part of GetAnalyticsThroughputAnswer.
type GetAnalyticsThroughputAnswerData struct {
	// its beginning
	Bucket    string `json:"bucket"`
	Accepted  int    `json:"accepted"`
	Delivered int    `json:"delivered"`
	// accepted, over the part of the bucket that is asked for
	PerSecond float64 `json:"perSecond"`
}

// GetAnalyticsLatencyAnswer is what Analytics.GetLatency answers.
type GetAnalyticsLatencyAnswer struct {
	From string `json:"from"`
	To   string `json:"to"`
	// one of "hour", "day"
	Bucket string                          `json:"bucket"`
	Data   []GetAnalyticsLatencyAnswerData `json:"data"`
}

// GetAnalyticsLatencyAnswerData is a part of GetAnalyticsLatencyAnswer.
type GetAnalyticsLatencyAnswerData struct {
	// its beginning
	Bucket string `json:"bucket"`
	// at most 4.5 % off; 0: there were no attempts
	P50 float64 `json:"p50"`
	// at most 4.5 % off; 0: there were no attempts
	P95 float64 `json:"p95"`
	// at most 4.5 % off; 0: there were no attempts
	P99 float64 `json:"p99"`
	// attempts
	Count int `json:"count"`
}

// GetAnalyticsFailuresAnswer is what Analytics.GetFailures answers.
type GetAnalyticsFailuresAnswer struct {
	From string `json:"from"`
	To   string `json:"to"`
	// one of "hour", "day"
	Bucket string                           `json:"bucket"`
	Data   []GetAnalyticsFailuresAnswerData `json:"data"`
}

// GetAnalyticsFailuresAnswerData is a part of GetAnalyticsFailuresAnswer.
type GetAnalyticsFailuresAnswerData struct {
	// its beginning
	Bucket  string `json:"bucket"`
	Timeout int    `json:"timeout"`
	HTTP4xx int    `json:"http_4xx"`
	HTTP5xx int    `json:"http_5xx"`
	DNS     int    `json:"dns"`
	TLS     int    `json:"tls"`
	Refused int    `json:"refused"`
	Other   int    `json:"other"`
}

// GetEndpointHealthAnswer is what Analytics.GetEndpointHealth answers.
type GetEndpointHealthAnswer struct {
	From string `json:"from"`
	To   string `json:"to"`
	// worst first; of the newest 1000 endpoints
	Data []GetEndpointHealthAnswerData `json:"data"`
}

// GetEndpointHealthAnswerData is a part of GetEndpointHealthAnswer.
type GetEndpointHealthAnswerData struct {
	EndpointID string `json:"endpointId"`
	// null: the endpoint is polled, or stores
	URL *string `json:"url"`
	// one of "active", "paused", "disabled"
	Status string `json:"status"`
	// successes among successes and failures, in per cent; null: there were none
	DeliveryRate *float64 `json:"deliveryRate"`
	P95Ms        *float64 `json:"p95Ms"`
	// one of "closed", "open", "half_open"
	CircuitState string  `json:"circuitState"`
	OpenUntil    *string `json:"openUntil"`
	// to the second
	LastSuccessAt *time.Time `json:"lastSuccessAt"`
	// to the second
	LastFailureAt *time.Time `json:"lastFailureAt"`
	// at most 10,000 are counted
	Waiting int `json:"waiting"`
	// more may wait: of each endpoint 10,000 are counted, and of all together a million
	Capped *bool `json:"capped,omitzero"`
}

// GetStatsAnswer is what Stats.Get answers.
type GetStatsAnswer struct {
	// deliveries that wait for their first attempt, and events for fan-out
	Queued int `json:"queued"`
	// deliveries on their way
	Delivering int `json:"delivering"`
	// deliveries that wait for another attempt
	Failed int `json:"failed"`
	// events of which a delivery was given up, as long as they are kept
	Dead                int `json:"dead"`
	DeliveredLastMinute int `json:"deliveredLastMinute"`
	// accepted, over the last ten seconds
	EventsPerSecond float64 `json:"eventsPerSecond"`
	// delivered, over the last ten seconds
	DeliveriesPerSecond float64 `json:"deliveriesPerSecond"`
	// for how long the oldest of what is due has waited; 0: nothing is
	OldestQueuedSeconds float64 `json:"oldestQueuedSeconds"`
	// a count stopped at 10,000
	Capped *bool  `json:"capped,omitzero"`
	At     string `json:"at"`
}

// GetRateLimitsAnswer is what Metrics.GetRateLimits answers.
type GetRateLimitsAnswer struct {
	APIKeys   []GetRateLimitsAnswerAPIKey   `json:"apiKeys"`
	Endpoints []GetRateLimitsAnswerEndpoint `json:"endpoints"`
}

// GetRateLimitsAnswerAPIKey is a part of GetRateLimitsAnswer.
type GetRateLimitsAnswerAPIKey struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// per second; null: no limit of its own
	Limit     *int       `json:"limit"`
	Remaining *int       `json:"remaining"`
	ResetAt   *time.Time `json:"resetAt"`
}

// GetRateLimitsAnswerEndpoint is a part of GetRateLimitsAnswer.
type GetRateLimitsAnswerEndpoint struct {
	ID string `json:"id"`
	// null: no limit
	LimitPerSec     *int `json:"limitPerSec"`
	AvailableTokens *int `json:"availableTokens"`
	Waiting         int  `json:"waiting"`
	// more may wait: of each endpoint 10,000 are counted, and of all together a million
	Capped *bool `json:"capped,omitzero"`
}

// GetEndpointRateLimitAnswer is what Metrics.GetEndpointRateLimit answers.
type GetEndpointRateLimitAnswer struct {
	ID string `json:"id"`
	// null: no limit
	LimitPerSec     *int `json:"limitPerSec"`
	AvailableTokens *int `json:"availableTokens"`
	Waiting         int  `json:"waiting"`
	// more may wait: of each endpoint 10,000 are counted, and of all together a million
	Capped *bool `json:"capped,omitzero"`
	// deliveries that the limit held up in the last minute
	ThrottledLastMinute int `json:"throttledLastMinute"`
}

// TeamMember is a record of Team.List.
type TeamMember struct {
	// until an invitation is accepted, the invitation's own id
	UserID string  `json:"userId"`
	Email  string  `json:"email"`
	Name   *string `json:"name"`
	// one of "viewer", "editor", "admin"
	Role string `json:"role"`
	// one of "active", "invited", "deactivated"
	Status string `json:"status"`
	// one of "signup", "invite", "sso", "scim"
	Source      string     `json:"source"`
	LastLoginAt *time.Time `json:"lastLoginAt"`
	CreatedAt   time.Time  `json:"createdAt"`
}

// InviteMember is the body of Team.InviteMember.
type InviteMember struct {
	// required
	Email string `json:"email"`
	// required; one of "viewer", "editor", "admin"
	Role string `json:"role"`
}

// UpdateMember is the body of Team.UpdateMember.
type UpdateMember struct {
	// required; one of "viewer", "editor", "admin"
	Role string `json:"role"`
}

// CreateSubAccount is the body of SubAccounts.Create.
type CreateSubAccount struct {
	ExternalID string `json:"externalId,omitzero"`
	// another name of externalId
	SubID    string           `json:"subID,omitzero"`
	Name     Nullable[string] `json:"name,omitzero"`
	Email    Nullable[string] `json:"email,omitzero"`
	Metadata Nullable[any]    `json:"metadata,omitzero"`
}

// CreateSubAccountAnswer is what SubAccounts.Create answers.
type CreateSubAccountAnswer struct {
	ID         string          `json:"id"`
	ExternalID string          `json:"externalId"`
	Name       *string         `json:"name"`
	Email      *string         `json:"email"`
	Metadata   json.RawMessage `json:"metadata"`
	// one of "active", "deactivated"
	Status    string    `json:"status"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// UpdateSubAccount is the body of SubAccounts.Update.
type UpdateSubAccount struct {
	Name     Nullable[string] `json:"name,omitzero"`
	Email    Nullable[string] `json:"email,omitzero"`
	Metadata Nullable[any]    `json:"metadata,omitzero"`
	// one of "active", "deactivated"
	Status string `json:"status,omitzero"`
}

// MintSubAccountSession is the body of SubAccounts.MintSession.
type MintSubAccountSession struct {
	// seconds; 3,600 where it is not given
	ExpiresIn *int `json:"expiresIn,omitzero"`
	// another name of expiresIn
	TTLSeconds *int `json:"ttlSeconds,omitzero"`
	// where the portal leads back to, for this session
	ReturnURL string `json:"returnURL,omitzero"`
	// all where they are not given; each one of "endpoints:read", "endpoints:write", "events:read",
	// "events:retry", "deliveries:read"
	Scopes []string `json:"scopes,omitzero"`
}

// SubAccountSessionMinted is what SubAccounts.MintSession answers.
type SubAccountSessionMinted struct {
	ID string `json:"id"`
	// taken once, by POST /sub-account-api/auth/exchange
	Token string `json:"token"`
	// the link to give to the customer: it opens once
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
	ReturnURL string    `json:"returnURL"`
	// each one of "endpoints:read", "endpoints:write", "events:read", "events:retry",
	// "deliveries:read"
	Scopes []string `json:"scopes"`
}

// SubAccountSessionItem is a record of SubAccounts.ListSessions.
type SubAccountSessionItem struct {
	ID string `json:"id"`
	// each one of "endpoints:read", "endpoints:write", "events:read", "events:retry",
	// "deliveries:read"
	Scopes       []string   `json:"scopes"`
	ReturnURL    string     `json:"return_url"`
	CreatedAt    time.Time  `json:"created_at"`
	ExpiresAt    time.Time  `json:"expires_at"`
	MaxExpiresAt time.Time  `json:"max_expires_at"`
	ConsumedAt   *time.Time `json:"consumed_at"`
	RevokedAt    *time.Time `json:"revoked_at"`
	LastUsedAt   *time.Time `json:"last_used_at"`
	UseCount     int        `json:"use_count"`
}

// GetSubAccountSettingsAnswer is what SubAccountSettings.Get answers.
type GetSubAccountSettingsAnswer struct {
	DefaultReturnURL *string                           `json:"defaultReturnUrl"`
	Theme            *GetSubAccountSettingsAnswerTheme `json:"theme"`
}

// GetSubAccountSettingsAnswerTheme is a part of GetSubAccountSettingsAnswer.
type GetSubAccountSettingsAnswerTheme struct {
	BrandName *string `json:"brandName"`
	Logo      *string `json:"logo"`
	// one of "inter", "system", "serif", "monospace"
	Font  string       `json:"font"`
	Light *ThemeColors `json:"light"`
	Dark  *ThemeColors `json:"dark"`
}

// ThemeColors is a part of GetSubAccountSettingsAnswerTheme.
type ThemeColors struct {
	Bg000          string `json:"--bg-000"`
	Bg100          string `json:"--bg-100"`
	Bg200          string `json:"--bg-200"`
	AccentMain100  string `json:"--accent-main-100"`
	AccentMain900  string `json:"--accent-main-900"`
	ChartDelivered string `json:"--chart-delivered"`
	ChartFailed    string `json:"--chart-failed"`
	ChartDead      string `json:"--chart-dead"`
	Warning100     string `json:"--warning-100"`
}

// UpdateSubAccountSettings is the body of SubAccountSettings.Update.
type UpdateSubAccountSettings struct {
	DefaultReturnURL Nullable[string]                        `json:"defaultReturnUrl,omitzero"`
	Theme            Nullable[UpdateSubAccountSettingsTheme] `json:"theme,omitzero"`
}

// UpdateSubAccountSettingsTheme is a part of UpdateSubAccountSettings.
type UpdateSubAccountSettingsTheme struct {
	BrandName Nullable[string] `json:"brandName,omitzero"`
	Logo      Nullable[string] `json:"logo,omitzero"`
	// one of "inter", "system", "serif", "monospace"
	Font  string                `json:"font,omitzero"`
	Light Nullable[ThemeColors] `json:"light,omitzero"`
	Dark  Nullable[ThemeColors] `json:"dark,omitzero"`
}

// CreateSSOConnectionAnswer is a record of SSO.ListConnections.
type CreateSSOConnectionAnswer struct {
	ID string `json:"id"`
	// one of "oidc", "saml"
	Type     string   `json:"type"`
	Name     string   `json:"name"`
	Slug     string   `json:"slug"`
	Domains  []string `json:"domains"`
	Enforced bool     `json:"enforced"`
	// one of "viewer", "editor", "admin"
	DefaultRole      string  `json:"defaultRole"`
	BreakGlassUserID *string `json:"breakGlassUserId"`
	// one of "active", "inactive"
	Status    string                         `json:"status"`
	LoginURL  string                         `json:"loginUrl"`
	OIDC      *CreateSSOConnectionAnswerOIDC `json:"oidc"`
	SAML      *CreateSSOConnectionAnswerSAML `json:"saml"`
	CreatedAt time.Time                      `json:"createdAt"`
	UpdatedAt time.Time                      `json:"updatedAt"`
}

// CreateSSOConnectionAnswerOIDC is a part of CreateSSOConnectionAnswer.
type CreateSSOConnectionAnswerOIDC struct {
	Issuer   string `json:"issuer"`
	ClientID string `json:"clientId"`
	// the redirect URI to register at the provider
	CallbackURL string `json:"callbackUrl"`
}

// CreateSSOConnectionAnswerSAML is a part of CreateSSOConnectionAnswer.
type CreateSSOConnectionAnswerSAML struct {
	IDPEntityID        string   `json:"idpEntityId"`
	IDPSSOURL          string   `json:"idpSsoUrl"`
	IDPCertificates    []string `json:"idpCertificates"`
	WantResponseSigned bool     `json:"wantResponseSigned"`
	SPEntityID         string   `json:"spEntityId"`
	ACSURL             string   `json:"acsUrl"`
	MetadataURL        string   `json:"metadataUrl"`
}

// CreateSSOConnection is the body of SSO.CreateConnection.
type CreateSSOConnection struct {
	// required
	Name    string   `json:"name"`
	Slug    string   `json:"slug,omitzero"`
	Domains []string `json:"domains,omitzero"`
	// refuse passwords for its domains' addresses
	Enforced *bool `json:"enforced,omitzero"`
	// of members who come by it for the first time; one of "viewer", "editor", "admin"
	DefaultRole string `json:"defaultRole,omitzero"`
	// the one admin whose password goes on being taken while it is enforced
	BreakGlassUserID string `json:"breakGlassUserId,omitzero"`
	// one of "active", "inactive"
	Status string `json:"status,omitzero"`
	// required; one of "oidc", "saml"
	Type string                   `json:"type"`
	OIDC *CreateSSOConnectionOIDC `json:"oidc,omitzero"`
	SAML *CreateSSOConnectionSAML `json:"saml,omitzero"`
	// the identity provider's metadata in XML, instead of `saml`
	IDPMetadata string `json:"idpMetadata,omitzero"`
}

// CreateSSOConnectionOIDC is a part of CreateSSOConnection.
type CreateSSOConnectionOIDC struct {
	// required
	Issuer string `json:"issuer"`
	// required
	ClientID string `json:"clientId"`
	// required
	ClientSecret string `json:"clientSecret"`
}

// CreateSSOConnectionSAML is a part of CreateSSOConnection.
type CreateSSOConnectionSAML struct {
	// required
	IDPEntityID string `json:"idpEntityId"`
	// required
	IDPSSOURL string `json:"idpSsoUrl"`
	// required; X.509, in PEM
	IDPCertificates []string `json:"idpCertificates"`
	// refuse a response in which only the assertion is signed; default: false
	WantResponseSigned *bool `json:"wantResponseSigned,omitzero"`
}

// UpdateSSOConnection is the body of SSO.UpdateConnection.
type UpdateSSOConnection struct {
	Name    string   `json:"name,omitzero"`
	Slug    string   `json:"slug,omitzero"`
	Domains []string `json:"domains,omitzero"`
	// refuse passwords for its domains' addresses
	Enforced *bool `json:"enforced,omitzero"`
	// of members who come by it for the first time; one of "viewer", "editor", "admin"
	DefaultRole string `json:"defaultRole,omitzero"`
	// the one admin whose password goes on being taken while it is enforced
	BreakGlassUserID Nullable[string] `json:"breakGlassUserId,omitzero"`
	// one of "active", "inactive"
	Status string                   `json:"status,omitzero"`
	OIDC   *UpdateSSOConnectionOIDC `json:"oidc,omitzero"`
	SAML   *UpdateSSOConnectionSAML `json:"saml,omitzero"`
	// the identity provider's metadata in XML, instead of `saml`
	IDPMetadata string `json:"idpMetadata,omitzero"`
}

// UpdateSSOConnectionOIDC is a part of UpdateSSOConnection.
type UpdateSSOConnectionOIDC struct {
	Issuer       string `json:"issuer,omitzero"`
	ClientID     string `json:"clientId,omitzero"`
	ClientSecret string `json:"clientSecret,omitzero"`
}

// UpdateSSOConnectionSAML is a part of UpdateSSOConnection.
type UpdateSSOConnectionSAML struct {
	IDPEntityID string `json:"idpEntityId,omitzero"`
	IDPSSOURL   string `json:"idpSsoUrl,omitzero"`
	// X.509, in PEM
	IDPCertificates []string `json:"idpCertificates,omitzero"`
	// refuse a response in which only the assertion is signed; default: false
	WantResponseSigned *bool `json:"wantResponseSigned,omitzero"`
}

// CreateSSODomainAnswer is a record of SSO.ListDomains.
type CreateSSODomainAnswer struct {
	ID     string `json:"id"`
	Domain string `json:"domain"`
	// one of "pending", "verified"
	Status string `json:"status"`
	// the text of a TXT record of the domain itself
	TxtRecord  string     `json:"txtRecord"`
	CreatedAt  time.Time  `json:"createdAt"`
	VerifiedAt *time.Time `json:"verifiedAt"`
}

// CreateSSODomain is the body of SSO.CreateDomain.
type CreateSSODomain struct {
	// required
	Domain string `json:"domain"`
}

// SCIMToken is a record of SCIMTokens.List.
type SCIMToken struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	CreatedAt  time.Time  `json:"createdAt"`
	LastUsedAt *time.Time `json:"lastUsedAt"`
}

// CreateSCIMToken is the body of SCIMTokens.Create.
type CreateSCIMToken struct {
	// required
	Name string `json:"name"`
}

// CreateSCIMTokenAnswer is what SCIMTokens.Create answers.
type CreateSCIMTokenAnswer struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	CreatedAt  time.Time  `json:"createdAt"`
	LastUsedAt *time.Time `json:"lastUsedAt"`
	// shown this once
	Token string `json:"token"`
}

// GetBillingOverviewAnswer is what Billing.GetOverview answers.
type GetBillingOverviewAnswer struct {
	Plan         string        `json:"plan"`
	Subscription *Subscription `json:"subscription"`
	Invoices     []Invoice     `json:"invoices"`
	Plans        []Plan        `json:"plans"`
}

// Subscription is a part of GetBillingOverviewAnswer.
type Subscription struct {
	PlanID string `json:"planId"`
	// one of "monthly", "annual"
	Cycle              string                       `json:"cycle"`
	Status             string                       `json:"status"`
	CurrentPeriodStart *string                      `json:"currentPeriodStart"`
	CurrentPeriodEnd   *string                      `json:"currentPeriodEnd"`
	CancelAtPeriodEnd  bool                         `json:"cancelAtPeriodEnd"`
	ScheduledChange    *SubscriptionScheduledChange `json:"scheduledChange"`
}

// SubscriptionScheduledChange is a part of Subscription.
type SubscriptionScheduledChange struct {
	PlanID string `json:"planId"`
	// one of "monthly", "annual"
	Cycle       string    `json:"cycle"`
	EffectiveAt time.Time `json:"effectiveAt"`
}

// Invoice is a part of GetBillingOverviewAnswer.
type Invoice struct {
	ID         string    `json:"id"`
	Number     *string   `json:"number"`
	AmountDue  int       `json:"amountDue"`
	AmountPaid int       `json:"amountPaid"`
	Currency   string    `json:"currency"`
	Status     string    `json:"status"`
	CreatedAt  time.Time `json:"createdAt"`
	HostedURL  *string   `json:"hostedUrl"`
	PdfURL     *string   `json:"pdfUrl"`
}

// Plan is a part of GetBillingOverviewAnswer.
type Plan struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Monthly  *int            `json:"monthly"`
	Annual   *int            `json:"annual"`
	Currency *string         `json:"currency"`
	Limits   PlanLimits      `json:"limits"`
	Features map[string]bool `json:"features"`
}

// ListBillingPlansAnswer is what Billing.ListPlans answers.
type ListBillingPlansAnswer struct {
	Plans []Plan `json:"plans"`
}

// GetSubscriptionAnswer is what Billing.GetSubscription answers.
type GetSubscriptionAnswer struct {
	Subscription *Subscription `json:"subscription"`
}

// ListInvoicesAnswer is what Billing.ListInvoices answers.
type ListInvoicesAnswer struct {
	Invoices []Invoice `json:"invoices"`
}

// CheckOut is the body of Billing.Checkout.
type CheckOut struct {
	// required; one of "free", "starter", "growth", "scale", "self_hosted"
	PlanID string `json:"planId"`
	// one of "monthly", "annual"
	Cycle string `json:"cycle,omitzero"`
}

// CheckOutAnswer is what Billing.Checkout answers.
type CheckOutAnswer struct {
	URL string `json:"url"`
}

// PreviewPlanChangeAnswer is what Billing.PreviewPlanChange answers.
type PreviewPlanChangeAnswer struct {
	PlanID string `json:"planId"`
	// one of "monthly", "annual"
	Cycle string `json:"cycle"`
	// one of "immediately", "period_end"
	Effective       string                        `json:"effective"`
	EffectiveAt     time.Time                     `json:"effectiveAt"`
	Currency        string                        `json:"currency"`
	AmountDue       int                           `json:"amountDue"`
	RecurringAmount int                           `json:"recurringAmount"`
	Lines           []PreviewPlanChangeAnswerLine `json:"lines"`
}

// PreviewPlanChangeAnswerLine is a part of PreviewPlanChangeAnswer.
type PreviewPlanChangeAnswerLine struct {
	Description string `json:"description"`
	Amount      int    `json:"amount"`
	Proration   bool   `json:"proration"`
	PeriodStart string `json:"periodStart"`
	PeriodEnd   string `json:"periodEnd"`
}

// CreateAlertRule is the body of Alerting.CreateAlertRule.
type CreateAlertRule struct {
	// required
	Name        string           `json:"name"`
	Description Nullable[string] `json:"description,omitzero"`
	Enabled     *bool            `json:"enabled,omitzero"`
	// a duration as Go writes it, from 1m to 720h
	Cooldown   string           `json:"cooldown,omitzero"`
	EndpointID Nullable[string] `json:"endpointId,omitzero"`
	// required
	Condition     AlertCondition        `json:"condition"`
	Action        Nullable[AlertAction] `json:"action,omitzero"`
	ConnectorName Nullable[string]      `json:"connectorName,omitzero"`
}

// AlertCondition is a part of CreateAlertRule.
type AlertCondition struct {
	// required; one of "failure_rate", "success_rate", "latency", "queue_depth", "error_count",
	// "delivery_count"
	Metric string `json:"metric"`
	// required; one of "gt", "gte", "lt", "lte", "eq", "ne"
	Operator string `json:"operator"`
	// required
	Value float64 `json:"value"`
	// a duration as Go writes it, from 1m to 720h
	Window string `json:"window,omitzero"`
}

// AlertAction is a part of CreateAlertRule.
type AlertAction struct {
	// required; one of "slack", "email", "webhook", "pagerduty"
	Type       string                      `json:"type"`
	WebhookURL string                      `json:"webhookUrl,omitzero"`
	Channel    Nullable[string]            `json:"channel,omitzero"`
	Message    Nullable[string]            `json:"message,omitzero"`
	To         []string                    `json:"to,omitzero"`
	Subject    Nullable[string]            `json:"subject,omitzero"`
	Headers    Nullable[map[string]string] `json:"headers,omitzero"`
	RoutingKey string                      `json:"routingKey,omitzero"`
	// one of "critical", "error", "warning", "info"
	Severity Nullable[string] `json:"severity,omitzero"`
}

// AlertRule is what Alerting.CreateAlertRule answers.
type AlertRule struct {
	ID          string             `json:"id"`
	Name        string             `json:"name"`
	Description *string            `json:"description"`
	Enabled     bool               `json:"enabled"`
	Condition   AlertRuleCondition `json:"condition"`
	// the condition as `POST /api/v1/alert-rules` takes it
	ConditionText string           `json:"conditionText"`
	Action        *AlertRuleAction `json:"action"`
	ConnectorName *string          `json:"connectorName"`
	Cooldown      string           `json:"cooldown"`
	// the only endpoint that counts; null: all of them
	EndpointID *string `json:"endpointId"`
	// one of "ok", "firing"
	State           string     `json:"state"`
	StateSince      time.Time  `json:"stateSince"`
	LastValue       *float64   `json:"lastValue"`
	LastEvaluatedAt *time.Time `json:"lastEvaluatedAt"`
	CreatedAt       time.Time  `json:"createdAt"`
	UpdatedAt       time.Time  `json:"updatedAt"`
}

// AlertRuleCondition is a part of AlertRule.
type AlertRuleCondition struct {
	// one of "failure_rate", "success_rate", "latency", "queue_depth", "error_count",
	// "delivery_count"
	Metric string `json:"metric"`
	// one of "gt", "gte", "lt", "lte", "eq", "ne"
	Operator string  `json:"operator"`
	Value    float64 `json:"value"`
	Window   string  `json:"window"`
}

// AlertRuleAction is a part of AlertRule.
type AlertRuleAction struct {
	// one of "slack", "email", "webhook", "pagerduty"
	Type       string            `json:"type"`
	WebhookURL string            `json:"webhookUrl,omitzero"`
	Channel    *string           `json:"channel,omitzero"`
	Message    *string           `json:"message"`
	To         []string          `json:"to,omitzero"`
	Subject    *string           `json:"subject,omitzero"`
	Headers    map[string]string `json:"headers,omitzero"`
	RoutingKey string            `json:"routingKey,omitzero"`
	// one of "critical", "error", "warning", "info"
	Severity *string `json:"severity,omitzero"`
}

// UpdateAlertRule is the body of Alerting.UpdateAlertRule.
type UpdateAlertRule struct {
	Name        string           `json:"name,omitzero"`
	Description Nullable[string] `json:"description,omitzero"`
	Enabled     *bool            `json:"enabled,omitzero"`
	// a duration as Go writes it, from 1m to 720h
	Cooldown      string                `json:"cooldown,omitzero"`
	EndpointID    Nullable[string]      `json:"endpointId,omitzero"`
	Condition     *AlertCondition       `json:"condition,omitzero"`
	Action        Nullable[AlertAction] `json:"action,omitzero"`
	ConnectorName Nullable[string]      `json:"connectorName,omitzero"`
}

// NotificationTested is what Alerting.TestAlertRule answers.
type NotificationTested struct {
	// one of "sent", "failed"
	Delivery   string  `json:"delivery"`
	StatusCode *int    `json:"statusCode"`
	Error      *string `json:"error"`
}

// AlertsEvaluated is what Alerting.EvaluateAlertRules answers.
type AlertsEvaluated struct {
	Evaluated int                     `json:"evaluated"`
	Firing    int                     `json:"firing"`
	Results   []AlertsEvaluatedResult `json:"results"`
}

// AlertsEvaluatedResult is a part of AlertsEvaluated.
type AlertsEvaluatedResult struct {
	RuleID string `json:"ruleId"`
	// null: there is no data in the window
	Value   *float64 `json:"value"`
	Matched bool     `json:"matched"`
	// one of "ok", "firing"
	State string `json:"state"`
}

// AlertHistoryItem is a record of Alerting.ListAlertHistory.
type AlertHistoryItem struct {
	ID       string `json:"id"`
	RuleID   string `json:"ruleId"`
	RuleName string `json:"ruleName"`
	// one of "firing", "resolved"
	Status    string    `json:"status"`
	Value     *float64  `json:"value"`
	Threshold float64   `json:"threshold"`
	At        time.Time `json:"at"`
	// one of "pending", "sent", "failed"
	Delivery string  `json:"delivery"`
	Attempts int     `json:"attempts"`
	Error    *string `json:"error"`
}

// PreviewAlertRule is the body of Alerting.PreviewAlertRule.
type PreviewAlertRule struct {
	// required
	Condition  any              `json:"condition"`
	Hours      *int             `json:"hours,omitzero"`
	EndpointID Nullable[string] `json:"endpointId,omitzero"`
}

// AlertPreview is what Alerting.PreviewAlertRule answers.
type AlertPreview struct {
	Firings []AlertPreviewFiring `json:"firings"`
}

// AlertPreviewFiring is a part of AlertPreview.
type AlertPreviewFiring struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	Peak float64   `json:"peak"`
}

// CreateAlertRuleFromText is the body of AlertRules.CreateFromText.
type CreateAlertRuleFromText struct {
	// required
	Name        string           `json:"name"`
	Description Nullable[string] `json:"description,omitzero"`
	Enabled     *bool            `json:"enabled,omitzero"`
	// a duration as Go writes it, from 1m to 720h
	Cooldown   string           `json:"cooldown,omitzero"`
	EndpointID Nullable[string] `json:"endpointId,omitzero"`
	// required
	Condition string `json:"condition"`
	// required
	ConnectorName string `json:"connectorName"`
}

// CreateConnector is the body of Connectors.Create.
type CreateConnector struct {
	// required
	Name string `json:"name"`
	// required; one of "slack", "discord", "teams", "email", "webhook"
	Type string `json:"type"`
	// required
	Config     CreateConnectorConfig     `json:"config"`
	Template   Nullable[MessageTemplate] `json:"template,omitzero"`
	EventTypes []string                  `json:"eventTypes,omitzero"`
}

// CreateConnectorConfig is a part of CreateConnector.
type CreateConnectorConfig struct {
	WebhookURL   string                      `json:"webhookUrl,omitzero"`
	Channel      Nullable[string]            `json:"channel,omitzero"`
	Username     Nullable[string]            `json:"username,omitzero"`
	IconEmoji    Nullable[string]            `json:"iconEmoji,omitzero"`
	SMTPHost     string                      `json:"smtpHost,omitzero"`
	SMTPPort     Nullable[int]               `json:"smtpPort,omitzero"`
	SMTPUsername Nullable[string]            `json:"smtpUsername,omitzero"`
	SMTPPassword Nullable[string]            `json:"smtpPassword,omitzero"`
	FromEmail    string                      `json:"fromEmail,omitzero"`
	To           []string                    `json:"to,omitzero"`
	URL          string                      `json:"url,omitzero"`
	Headers      Nullable[map[string]string] `json:"headers,omitzero"`
	Secret       Nullable[string]            `json:"secret,omitzero"`
}

// MessageTemplate is a part of CreateConnector.
type MessageTemplate struct {
	Title string `json:"title,omitzero"`
	Text  string `json:"text,omitzero"`
	Color string `json:"color,omitzero"`
}

// Connector is what Connectors.Create answers.
type Connector struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// one of "slack", "discord", "teams", "email", "webhook"
	Type string `json:"type"`
	// secrets are masked
	Config     json.RawMessage    `json:"config"`
	Template   *ConnectorTemplate `json:"template"`
	EventTypes []string           `json:"eventTypes"`
	CreatedAt  time.Time          `json:"createdAt"`
	UpdatedAt  time.Time          `json:"updatedAt"`
}

// ConnectorTemplate is a part of Connector.
type ConnectorTemplate struct {
	Title *string `json:"title"`
	Text  *string `json:"text"`
	Color *string `json:"color"`
}

// UpdateConnector is the body of Connectors.Update.
type UpdateConnector struct {
	Config     any                       `json:"config,omitzero"`
	Template   Nullable[MessageTemplate] `json:"template,omitzero"`
	EventTypes []string                  `json:"eventTypes,omitzero"`
}
