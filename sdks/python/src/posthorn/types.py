"""Types of the API. Generated from the route catalog by `npm run sdks`: do not edit."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


class CreateEvent(TypedDict):
    destination: NotRequired[str]
    eventType: NotRequired[str]
    payload: dict[str, Any]
    headers: NotRequired[dict[str, str]]
    maxAttempts: NotRequired[int]
    priority: NotRequired[int]
    delaySeconds: NotRequired[int]


class CreateBatchEventsItem(TypedDict):
    idempotencyKey: str
    destination: str
    payload: dict[str, Any]
    headers: NotRequired[dict[str, str]]
    maxAttempts: NotRequired[int]
    priority: NotRequired[Literal[5]]


class CreateBatch(TypedDict):
    events: list[CreateBatchEventsItem]


class RetryBatch(TypedDict):
    eventIds: NotRequired[list[str]]
    status: NotRequired[Literal["failed", "dead"]]
    endpointId: NotRequired[str]
    limit: NotRequired[int]


class EditEvent(TypedDict):
    destination: NotRequired[str]
    payload: NotRequired[dict[str, Any]]
    headers: NotRequired[dict[str, str]]
    replay: NotRequired[bool]


class AckPolled(TypedDict):
    endpoint_id: str
    event_ids: list[str]


class CreateEndpointFilterItem(TypedDict):
    field: str
    operator: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "startsWith", "endsWith", "exists", "regex"]
    value: Any


class CreateEndpointStorageConfigS3(TypedDict):
    type: Literal["s3"]
    bucket: str
    region: str
    prefix: NotRequired[str]
    # of a store other than Amazon’s
    endpoint: NotRequired[str]
    # the bucket in the path, not in the host; default: true with an `endpoint`
    forcePathStyle: NotRequired[bool]
    accessKeyId: NotRequired[str | None]
    secretAccessKey: NotRequired[str | None]


class CreateEndpointStorageConfigFile(TypedDict):
    type: Literal["file"]
    prefix: NotRequired[str]


class CreateEndpoint(TypedDict):
    url: str
    eventTypes: list[str]
    description: NotRequired[str | None]
    maxRetries: NotRequired[int]
    retryBackoffMs: NotRequired[int]
    retryBackoffMax: NotRequired[int]
    retryBackoffMult: NotRequired[float]
    timeoutMs: NotRequired[int]
    filter: NotRequired[list[CreateEndpointFilterItem] | None]
    transformation: NotRequired[str | None]
    fifo: NotRequired[bool]
    fifoPartitionKey: NotRequired[str | None]
    rateLimitPerSec: NotRequired[int]
    circuitThreshold: NotRequired[int]
    circuitResetMs: NotRequired[int]
    deliveryMode: NotRequired[Literal["push", "poll", "storage"]]
    storageConfig: NotRequired[CreateEndpointStorageConfigS3 | CreateEndpointStorageConfigFile | None]
    customHeaders: NotRequired[dict[str, str] | None]
    allowedCidrs: NotRequired[list[str] | None]
    blockedCidrs: NotRequired[list[str] | None]
    signingSecret: NotRequired[str | None]
    mtlsCert: NotRequired[str | None]
    mtlsKey: NotRequired[str | None]
    allowedCIDRs: NotRequired[list[str] | None]
    blockedCIDRs: NotRequired[list[str] | None]
    status: NotRequired[Literal["active", "paused"]]


class UpdateEndpointFilterItem(TypedDict):
    field: str
    operator: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "startsWith", "endsWith", "exists", "regex"]
    value: Any


class UpdateEndpointStorageConfigS3(TypedDict):
    type: Literal["s3"]
    bucket: str
    region: str
    prefix: NotRequired[str]
    # of a store other than Amazon’s
    endpoint: NotRequired[str]
    # the bucket in the path, not in the host; default: true with an `endpoint`
    forcePathStyle: NotRequired[bool]
    accessKeyId: NotRequired[str | None]
    secretAccessKey: NotRequired[str | None]


class UpdateEndpointStorageConfigFile(TypedDict):
    type: Literal["file"]
    prefix: NotRequired[str]


class UpdateEndpoint(TypedDict):
    url: NotRequired[str]
    eventTypes: NotRequired[list[str]]
    description: NotRequired[str | None]
    maxRetries: NotRequired[int]
    retryBackoffMs: NotRequired[int]
    retryBackoffMax: NotRequired[int]
    retryBackoffMult: NotRequired[float]
    timeoutMs: NotRequired[int]
    filter: NotRequired[list[UpdateEndpointFilterItem] | None]
    transformation: NotRequired[str | None]
    fifo: NotRequired[bool]
    fifoPartitionKey: NotRequired[str | None]
    rateLimitPerSec: NotRequired[int]
    circuitThreshold: NotRequired[int]
    circuitResetMs: NotRequired[int]
    deliveryMode: NotRequired[Literal["push", "poll", "storage"]]
    storageConfig: NotRequired[UpdateEndpointStorageConfigS3 | UpdateEndpointStorageConfigFile | None]
    customHeaders: NotRequired[dict[str, str] | None]
    allowedCidrs: NotRequired[list[str] | None]
    blockedCidrs: NotRequired[list[str] | None]
    signingSecret: NotRequired[str | None]
    mtlsCert: NotRequired[str | None]
    mtlsKey: NotRequired[str | None]
    allowedCIDRs: NotRequired[list[str] | None]
    blockedCIDRs: NotRequired[list[str] | None]


class RotateSecret(TypedDict):
    newSecret: NotRequired[str]
    gracePeriodMinutes: NotRequired[int]


class SetMtls(TypedDict):
    certPem: str
    keyPem: str


class TestEndpoint(TypedDict):
    eventType: NotRequired[str]
    payload: NotRequired[dict[str, Any]]


class CreateReplay(TypedDict):
    since: str
    until: NotRequired[str]
    status: NotRequired[Literal["dead", "failed"] | list[Literal["dead", "failed"]]]


class TestTransformationEvent(TypedDict):
    id: NotRequired[str]
    eventType: NotRequired[str]
    payload: dict[str, Any]
    headers: NotRequired[dict[str, str] | None]
    createdAt: NotRequired[str]


class TestTransformation(TypedDict):
    transformation: str
    event: TestTransformationEvent


class CreateEventType(TypedDict):
    name: str
    description: NotRequired[str | None]
    schema: NotRequired[dict[str, Any] | None]
    schemaVersion: NotRequired[str | None]


class UpdateEventType(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str | None]
    schema: NotRequired[dict[str, Any] | None]
    schemaVersion: NotRequired[str | None]


class CreateInboundEndpoint(TypedDict):
    name: str
    pathSuffix: NotRequired[str]
    source: str
    sourceConfig: NotRequired[dict[str, str | list[str]]]
    destinationIds: NotRequired[list[str] | None]
    eventTypeMapping: NotRequired[str | None]
    description: NotRequired[str | None]
    transformation: NotRequired[str | None]
    status: NotRequired[Literal["active", "inactive"]]


class PatchInboundEndpoint(TypedDict):
    name: NotRequired[str]
    pathSuffix: NotRequired[str]
    source: NotRequired[str]
    sourceConfig: NotRequired[dict[str, str | list[str]]]
    destinationIds: NotRequired[list[str] | None]
    eventTypeMapping: NotRequired[str | None]
    description: NotRequired[str | None]
    transformation: NotRequired[str | None]
    status: NotRequired[Literal["active", "inactive"]]


class VerifyInbound(TypedDict):
    headers: dict[str, str]
    # exactly as it was sent
    body: str
    url: NotRequired[str]
    method: NotRequired[Literal["GET", "HEAD", "POST"]]


class CreateApiKey(TypedDict):
    name: str
    scopes: list[Literal["*", "events:read", "events:write", "deliveries:read", "deliveries:write", "endpoints:read", "endpoints:write", "event-types:read", "event-types:write", "inbound:read", "inbound:write", "alerts:read", "alerts:write", "connectors:read", "connectors:write", "analytics:read", "analytics:write", "api-keys:read", "api-keys:write", "team:read", "team:write", "projects:read", "projects:write", "sub-accounts:read", "sub-accounts:write", "audit:read", "audit:write", "billing:read", "billing:write", "account:read", "account:write"]]
    rateLimit: NotRequired[int | None]
    expiresAt: NotRequired[str | None]


class CreateProject(TypedDict):
    name: str
    environment: NotRequired[Literal["production", "staging", "development"]]


class UpdateProject(TypedDict):
    name: NotRequired[str]
    environment: NotRequired[Literal["production", "staging", "development"]]


class CompleteOnboarding(TypedDict):
    companyName: NotRequired[str]


class UpdateSecurity(TypedDict):
    requireMfa: bool


class InviteMember(TypedDict):
    email: str
    role: Literal["viewer", "editor", "admin"]


class UpdateMember(TypedDict):
    role: Literal["viewer", "editor", "admin"]


class CreateSubAccount(TypedDict):
    externalId: NotRequired[str]
    # another name of externalId
    subID: NotRequired[str]
    name: NotRequired[str | None]
    email: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | None]


class UpdateSubAccount(TypedDict):
    name: NotRequired[str | None]
    email: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | None]
    status: NotRequired[Literal["active", "deactivated"]]


class MintSubAccountSession(TypedDict):
    # seconds; 3,600 where it is not given
    expiresIn: NotRequired[int]
    # another name of expiresIn
    ttlSeconds: NotRequired[int]
    # where the portal leads back to, for this session
    returnURL: NotRequired[str]
    # another name of returnURL
    returnUrl: NotRequired[str]
    # all where they are not given
    scopes: NotRequired[list[Literal["endpoints:read", "endpoints:write", "events:read", "events:retry", "deliveries:read"]]]


UpdateSubAccountSettingsThemeLight = TypedDict("UpdateSubAccountSettingsThemeLight", {
    "--bg-000": "str",
    "--bg-100": "str",
    "--bg-200": "str",
    "--accent-main-100": "str",
    "--accent-main-900": "str",
    "--chart-delivered": "str",
    "--chart-failed": "str",
    "--chart-dead": "str",
    "--warning-100": "str",
})


UpdateSubAccountSettingsThemeDark = TypedDict("UpdateSubAccountSettingsThemeDark", {
    "--bg-000": "str",
    "--bg-100": "str",
    "--bg-200": "str",
    "--accent-main-100": "str",
    "--accent-main-900": "str",
    "--chart-delivered": "str",
    "--chart-failed": "str",
    "--chart-dead": "str",
    "--warning-100": "str",
})


class UpdateSubAccountSettingsTheme(TypedDict):
    brandName: NotRequired[str | None]
    logo: NotRequired[str | None]
    font: NotRequired[Literal["inter", "system", "serif", "monospace"]]
    light: NotRequired[UpdateSubAccountSettingsThemeLight | None]
    dark: NotRequired[UpdateSubAccountSettingsThemeDark | None]


class UpdateSubAccountSettings(TypedDict):
    defaultReturnUrl: NotRequired[str | None]
    theme: NotRequired[UpdateSubAccountSettingsTheme | None]


class CreateSsoConnectionOidc(TypedDict):
    issuer: str
    clientId: str
    clientSecret: str


class CreateSsoConnectionSaml(TypedDict):
    idpEntityId: str
    idpSsoUrl: str
    # X.509, in PEM
    idpCertificates: list[str]
    # refuse a response in which only the assertion is signed; default: false
    wantResponseSigned: NotRequired[bool]


class CreateSsoConnection(TypedDict):
    name: str
    slug: NotRequired[str]
    domains: NotRequired[list[str]]
    # refuse passwords for its domains' addresses
    enforced: NotRequired[bool]
    # of members who come by it for the first time
    defaultRole: NotRequired[Literal["viewer", "editor", "admin"]]
    # the one admin whose password goes on being taken while it is enforced
    breakGlassUserId: NotRequired[str]
    status: NotRequired[Literal["active", "inactive"]]
    type: Literal["oidc", "saml"]
    oidc: NotRequired[CreateSsoConnectionOidc]
    saml: NotRequired[CreateSsoConnectionSaml]
    # the identity provider's metadata in XML, instead of `saml`
    idpMetadata: NotRequired[str]


class UpdateSsoConnectionOidc(TypedDict):
    issuer: NotRequired[str]
    clientId: NotRequired[str]
    clientSecret: NotRequired[str]


class UpdateSsoConnectionSaml(TypedDict):
    idpEntityId: NotRequired[str]
    idpSsoUrl: NotRequired[str]
    # X.509, in PEM
    idpCertificates: NotRequired[list[str]]
    # refuse a response in which only the assertion is signed; default: false
    wantResponseSigned: NotRequired[bool]


class UpdateSsoConnection(TypedDict):
    name: NotRequired[str]
    slug: NotRequired[str]
    domains: NotRequired[list[str]]
    # refuse passwords for its domains' addresses
    enforced: NotRequired[bool]
    # of members who come by it for the first time
    defaultRole: NotRequired[Literal["viewer", "editor", "admin"]]
    breakGlassUserId: NotRequired[str | None]
    status: NotRequired[Literal["active", "inactive"]]
    oidc: NotRequired[UpdateSsoConnectionOidc]
    saml: NotRequired[UpdateSsoConnectionSaml]
    # the identity provider's metadata in XML, instead of `saml`
    idpMetadata: NotRequired[str]


class CreateSsoDomain(TypedDict):
    domain: str


class CreateScimToken(TypedDict):
    name: str


class CheckOut(TypedDict):
    planId: Literal["free", "starter", "growth", "scale", "self_hosted"]
    cycle: NotRequired[Literal["monthly", "annual"]]


class CreateAlertRuleCondition(TypedDict):
    metric: Literal["failure_rate", "success_rate", "latency", "queue_depth", "error_count", "delivery_count"]
    operator: Literal["gt", "gte", "lt", "lte", "eq", "ne"]
    value: float
    # a duration as Go writes it, from 1m to 720h
    window: NotRequired[str]


class CreateAlertRuleActionSlack(TypedDict):
    type: Literal["slack"]
    webhookUrl: str
    channel: NotRequired[str | None]
    message: NotRequired[str | None]


class CreateAlertRuleActionEmail(TypedDict):
    type: Literal["email"]
    to: list[str]
    subject: NotRequired[str | None]
    message: NotRequired[str | None]


class CreateAlertRuleActionWebhook(TypedDict):
    type: Literal["webhook"]
    webhookUrl: str
    headers: NotRequired[dict[str, str] | None]
    message: NotRequired[str | None]


class CreateAlertRuleActionPagerduty(TypedDict):
    type: Literal["pagerduty"]
    routingKey: str
    severity: NotRequired[Literal["critical", "error", "warning", "info"] | None]
    message: NotRequired[str | None]


class CreateAlertRule(TypedDict):
    name: str
    description: NotRequired[str | None]
    enabled: NotRequired[bool]
    # a duration as Go writes it, from 1m to 720h
    cooldown: NotRequired[str]
    endpointId: NotRequired[str | None]
    condition: CreateAlertRuleCondition
    action: NotRequired[CreateAlertRuleActionSlack | CreateAlertRuleActionEmail | CreateAlertRuleActionWebhook | CreateAlertRuleActionPagerduty | None]
    connectorName: NotRequired[str | None]


class UpdateAlertRuleCondition(TypedDict):
    metric: Literal["failure_rate", "success_rate", "latency", "queue_depth", "error_count", "delivery_count"]
    operator: Literal["gt", "gte", "lt", "lte", "eq", "ne"]
    value: float
    # a duration as Go writes it, from 1m to 720h
    window: NotRequired[str]


class UpdateAlertRuleActionSlack(TypedDict):
    type: Literal["slack"]
    webhookUrl: str
    channel: NotRequired[str | None]
    message: NotRequired[str | None]


class UpdateAlertRuleActionEmail(TypedDict):
    type: Literal["email"]
    to: list[str]
    subject: NotRequired[str | None]
    message: NotRequired[str | None]


class UpdateAlertRuleActionWebhook(TypedDict):
    type: Literal["webhook"]
    webhookUrl: str
    headers: NotRequired[dict[str, str] | None]
    message: NotRequired[str | None]


class UpdateAlertRuleActionPagerduty(TypedDict):
    type: Literal["pagerduty"]
    routingKey: str
    severity: NotRequired[Literal["critical", "error", "warning", "info"] | None]
    message: NotRequired[str | None]


class UpdateAlertRule(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str | None]
    enabled: NotRequired[bool]
    # a duration as Go writes it, from 1m to 720h
    cooldown: NotRequired[str]
    endpointId: NotRequired[str | None]
    condition: NotRequired[UpdateAlertRuleCondition]
    action: NotRequired[UpdateAlertRuleActionSlack | UpdateAlertRuleActionEmail | UpdateAlertRuleActionWebhook | UpdateAlertRuleActionPagerduty | None]
    connectorName: NotRequired[str | None]


class PreviewAlertRuleCondition(TypedDict):
    metric: Literal["failure_rate", "success_rate", "latency", "queue_depth", "error_count", "delivery_count"]
    operator: Literal["gt", "gte", "lt", "lte", "eq", "ne"]
    value: float
    # a duration as Go writes it, from 1m to 720h
    window: NotRequired[str]


class PreviewAlertRule(TypedDict):
    condition: PreviewAlertRuleCondition | str
    hours: NotRequired[int]
    endpointId: NotRequired[str | None]


class CreateAlertRuleFromText(TypedDict):
    name: str
    description: NotRequired[str | None]
    enabled: NotRequired[bool]
    # a duration as Go writes it, from 1m to 720h
    cooldown: NotRequired[str]
    endpointId: NotRequired[str | None]
    condition: str
    connectorName: str


class CreateConnectorSlackConfig(TypedDict):
    webhookUrl: str
    channel: NotRequired[str | None]
    username: NotRequired[str | None]
    iconEmoji: NotRequired[str | None]


class CreateConnectorSlackTemplate(TypedDict):
    title: NotRequired[str]
    text: NotRequired[str]
    color: NotRequired[str]


class CreateConnectorSlack(TypedDict):
    name: str
    type: Literal["slack"]
    config: CreateConnectorSlackConfig
    template: NotRequired[CreateConnectorSlackTemplate | None]
    eventTypes: NotRequired[list[str]]


class CreateConnectorDiscordConfig(TypedDict):
    webhookUrl: str
    username: NotRequired[str | None]


class CreateConnectorDiscordTemplate(TypedDict):
    title: NotRequired[str]
    text: NotRequired[str]
    color: NotRequired[str]


class CreateConnectorDiscord(TypedDict):
    name: str
    type: Literal["discord"]
    config: CreateConnectorDiscordConfig
    template: NotRequired[CreateConnectorDiscordTemplate | None]
    eventTypes: NotRequired[list[str]]


class CreateConnectorTeamsConfig(TypedDict):
    webhookUrl: str


class CreateConnectorTeamsTemplate(TypedDict):
    title: NotRequired[str]
    text: NotRequired[str]
    color: NotRequired[str]


class CreateConnectorTeams(TypedDict):
    name: str
    type: Literal["teams"]
    config: CreateConnectorTeamsConfig
    template: NotRequired[CreateConnectorTeamsTemplate | None]
    eventTypes: NotRequired[list[str]]


class CreateConnectorEmailConfig(TypedDict):
    smtpHost: str
    smtpPort: NotRequired[int | None]
    smtpUsername: NotRequired[str | None]
    smtpPassword: NotRequired[str | None]
    fromEmail: str
    to: list[str]


class CreateConnectorEmailTemplate(TypedDict):
    title: NotRequired[str]
    text: NotRequired[str]
    color: NotRequired[str]


class CreateConnectorEmail(TypedDict):
    name: str
    type: Literal["email"]
    config: CreateConnectorEmailConfig
    template: NotRequired[CreateConnectorEmailTemplate | None]
    eventTypes: NotRequired[list[str]]


class CreateConnectorWebhookConfig(TypedDict):
    url: str
    headers: NotRequired[dict[str, str] | None]
    secret: NotRequired[str | None]


class CreateConnectorWebhookTemplate(TypedDict):
    title: NotRequired[str]
    text: NotRequired[str]
    color: NotRequired[str]


class CreateConnectorWebhook(TypedDict):
    name: str
    type: Literal["webhook"]
    config: CreateConnectorWebhookConfig
    template: NotRequired[CreateConnectorWebhookTemplate | None]
    eventTypes: NotRequired[list[str]]


CreateConnector = Union[
    "CreateConnectorSlack",
    "CreateConnectorDiscord",
    "CreateConnectorTeams",
    "CreateConnectorEmail",
    "CreateConnectorWebhook",
]


class UpdateConnectorTemplate(TypedDict):
    title: NotRequired[str]
    text: NotRequired[str]
    color: NotRequired[str]


class UpdateConnector(TypedDict):
    config: NotRequired[dict[str, Any]]
    template: NotRequired[UpdateConnectorTemplate | None]
    eventTypes: NotRequired[list[str]]


class EventCreated(TypedDict):
    id: str
    idempotencyKey: str
    destination: str | None
    eventType: str | None
    status: Literal["queued", "delivering", "delivered", "failed", "dead"]
    attempts: int
    maxAttempts: int
    priority: int
    createdAt: str


class BatchCreatedEventsItem(TypedDict):
    id: str
    status: Literal["queued", "delivering", "delivered", "failed", "dead"]
    createdAt: str


class BatchCreated(TypedDict):
    events: list[BatchCreatedEventsItem]
    count: int


class BatchRetried(TypedDict):
    retried: int
    skipped: int
    eventIds: list[str]


class EventPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class EventPage(TypedDict):
    data: list[EventListItem]
    pagination: EventPagePagination


class EventDetailDeliveryAttemptsItem(TypedDict):
    id: str
    attemptNumber: int
    statusCode: int
    durationMs: int
    attemptedAt: str


class EventDetail(TypedDict):
    id: str
    idempotencyKey: str
    destination: str | None
    eventType: str | None
    status: Literal["queued", "delivering", "delivered", "failed", "dead"]
    attempts: int
    maxAttempts: int
    priority: int
    createdAt: str
    projectId: str
    # When a delayed event is due; null without a delay.
    deliverAt: str | None
    deliveredAt: str | None
    deadReason: str | None
    traceId: str
    payload: dict[str, Any]
    headers: dict[str, str] | None
    # in the order in which they were made; the newest 1,000 of an event with more
    deliveryAttempts: list[EventDetailDeliveryAttemptsItem]
    # `deliveryAttempts` leaves out older attempts: GET /api/v1/events/{eventId}/deliveries pages through all
    hasMoreAttempts: bool


class DeliveryPagePagination(TypedDict):
    limit: int
    offset: int
    # exact to 10,000, where it stops
    total: int
    hasMore: bool


class DeliveryPage(TypedDict):
    data: list[Attempt]
    pagination: DeliveryPagePagination


class EventDeliveriesPagination(TypedDict):
    hasMore: bool
    cursor: str | None


class EventDeliveries(TypedDict):
    deliveries: list[Attempt]
    # of all the attempts of the event, also beyond this page
    count: int
    # a page ends at `limit` attempts, or sooner at 4 MiB of kept bodies
    pagination: EventDeliveriesPagination


class AttemptDetail(TypedDict):
    id: str
    eventId: str
    deliveryId: str
    endpointId: str | None
    endpointVersion: int | None
    eventType: str | None
    url: str
    attemptNumber: int
    # 0 when no response came
    statusCode: int
    responseBody: str
    responseHeaders: dict[str, str] | None
    # null when it is the event's payload
    requestBody: str | None
    # "" on success, else "<category>: <detail>"
    error: str
    durationMs: int
    processingOverheadUs: int
    attemptedAt: str
    nextAttemptAt: str | None
    requestHeaders: dict[str, str]


class PollEventsAnswerEventsItem(TypedDict):
    id: str
    eventType: str | None
    payload: dict[str, Any]
    # the endpoint's custom headers and the event's, which win
    headers: dict[str, str]
    createdAt: str


class PollEventsAnswer(TypedDict):
    events: list[PollEventsAnswerEventsItem]
    count: int


class AckPolledAnswer(TypedDict):
    acknowledged: list[str]
    # no event of that id waits at the endpoint: unknown, or dead by now
    notFound: list[str]


class EndpointCreatedFilterItem(TypedDict):
    field: str
    operator: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "startsWith", "endsWith", "exists", "regex"]
    value: Any


class EndpointCreatedStorageConfigS3(TypedDict):
    type: Literal["s3"]
    bucket: str
    region: str
    prefix: NotRequired[str]
    # of a store other than Amazon’s
    endpoint: NotRequired[str]
    # the bucket in the path, not in the host; default: true with an `endpoint`
    forcePathStyle: NotRequired[bool]


class EndpointCreatedStorageConfigFile(TypedDict):
    type: Literal["file"]
    prefix: NotRequired[str]


class EndpointCreated(TypedDict):
    id: str
    projectId: str
    status: Literal["active", "paused", "disabled"]
    circuitState: Literal["closed", "open", "half_open"]
    version: int
    url: str
    eventTypes: list[str]
    description: str | None
    filter: list[EndpointCreatedFilterItem] | None
    transformation: str | None
    fifo: bool
    fifoPartitionKey: str | None
    maxRetries: int
    retryBackoffMs: int
    retryBackoffMax: int
    retryBackoffMult: float
    timeoutMs: int
    rateLimitPerSec: int
    circuitThreshold: int
    circuitResetMs: int
    customHeaders: dict[str, str] | None
    allowedCidrs: list[str] | None
    blockedCidrs: list[str] | None
    deliveryMode: Literal["push", "poll", "storage"]
    storageConfig: EndpointCreatedStorageConfigS3 | EndpointCreatedStorageConfigFile | None
    # last 4 characters of `accessKeyId`; null: there are no credentials
    storageKeyHint: str | None
    hasMtls: bool
    # the client certificate, PEM; its key is never shown
    mtlsCert: str | None
    # last 4 characters; null: the global secret
    signingSecretHint: str | None
    createdAt: str
    updatedAt: str
    signingSecret: str | None


class EndpointPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class EndpointPage(TypedDict):
    data: list[Endpoint]
    pagination: EndpointPagePagination


class EndpointFilterItem(TypedDict):
    field: str
    operator: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "startsWith", "endsWith", "exists", "regex"]
    value: Any


class EndpointStorageConfigS3(TypedDict):
    type: Literal["s3"]
    bucket: str
    region: str
    prefix: NotRequired[str]
    # of a store other than Amazon’s
    endpoint: NotRequired[str]
    # the bucket in the path, not in the host; default: true with an `endpoint`
    forcePathStyle: NotRequired[bool]


class EndpointStorageConfigFile(TypedDict):
    type: Literal["file"]
    prefix: NotRequired[str]


class Endpoint(TypedDict):
    id: str
    projectId: str
    status: Literal["active", "paused", "disabled"]
    circuitState: Literal["closed", "open", "half_open"]
    version: int
    url: str
    eventTypes: list[str]
    description: str | None
    filter: list[EndpointFilterItem] | None
    transformation: str | None
    fifo: bool
    fifoPartitionKey: str | None
    maxRetries: int
    retryBackoffMs: int
    retryBackoffMax: int
    retryBackoffMult: float
    timeoutMs: int
    rateLimitPerSec: int
    circuitThreshold: int
    circuitResetMs: int
    customHeaders: dict[str, str] | None
    allowedCidrs: list[str] | None
    blockedCidrs: list[str] | None
    deliveryMode: Literal["push", "poll", "storage"]
    storageConfig: EndpointStorageConfigS3 | EndpointStorageConfigFile | None
    # last 4 characters of `accessKeyId`; null: there are no credentials
    storageKeyHint: str | None
    hasMtls: bool
    # the client certificate, PEM; its key is never shown
    mtlsCert: str | None
    # last 4 characters; null: the global secret
    signingSecretHint: str | None
    createdAt: str
    updatedAt: str


class EgressIps(TypedDict):
    ips: list[str]


class GlobalSecret(TypedDict):
    signingSecret: str
    previousValidUntil: str | None


class EndpointVersionPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class EndpointVersionPage(TypedDict):
    data: list[EndpointVersion]
    pagination: EndpointVersionPagePagination


VersionDiffChangesItem = TypedDict("VersionDiffChangesItem", {
    "field": "str",
    "from": "Any",
    "to": "Any",
})


class VersionDiff(TypedDict):
    v1: int
    v2: int
    changes: list[VersionDiffChangesItem]


class EndpointVersionConfigFilterItem(TypedDict):
    field: str
    operator: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "startsWith", "endsWith", "exists", "regex"]
    value: Any


class EndpointVersionConfigStorageConfigS3(TypedDict):
    type: Literal["s3"]
    bucket: str
    region: str
    prefix: NotRequired[str]
    # of a store other than Amazon’s
    endpoint: NotRequired[str]
    # the bucket in the path, not in the host; default: true with an `endpoint`
    forcePathStyle: NotRequired[bool]


class EndpointVersionConfigStorageConfigFile(TypedDict):
    type: Literal["file"]
    prefix: NotRequired[str]


class EndpointVersionConfig(TypedDict):
    url: str
    eventTypes: list[str]
    description: str | None
    filter: list[EndpointVersionConfigFilterItem] | None
    transformation: str | None
    fifo: bool
    fifoPartitionKey: str | None
    maxRetries: int
    retryBackoffMs: int
    retryBackoffMax: int
    retryBackoffMult: float
    timeoutMs: int
    rateLimitPerSec: int
    circuitThreshold: int
    circuitResetMs: int
    customHeaders: dict[str, str] | None
    allowedCidrs: list[str] | None
    blockedCidrs: list[str] | None
    deliveryMode: Literal["push", "poll", "storage"]
    storageConfig: EndpointVersionConfigStorageConfigS3 | EndpointVersionConfigStorageConfigFile | None


class EndpointVersion(TypedDict):
    version: int
    config: EndpointVersionConfig
    changedBy: str
    changedAt: str
    # fields that differ from the version before
    changes: list[str]


class EndpointRotatedFilterItem(TypedDict):
    field: str
    operator: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "startsWith", "endsWith", "exists", "regex"]
    value: Any


class EndpointRotatedStorageConfigS3(TypedDict):
    type: Literal["s3"]
    bucket: str
    region: str
    prefix: NotRequired[str]
    # of a store other than Amazon’s
    endpoint: NotRequired[str]
    # the bucket in the path, not in the host; default: true with an `endpoint`
    forcePathStyle: NotRequired[bool]


class EndpointRotatedStorageConfigFile(TypedDict):
    type: Literal["file"]
    prefix: NotRequired[str]


class EndpointRotated(TypedDict):
    id: str
    projectId: str
    status: Literal["active", "paused", "disabled"]
    circuitState: Literal["closed", "open", "half_open"]
    version: int
    url: str
    eventTypes: list[str]
    description: str | None
    filter: list[EndpointRotatedFilterItem] | None
    transformation: str | None
    fifo: bool
    fifoPartitionKey: str | None
    maxRetries: int
    retryBackoffMs: int
    retryBackoffMax: int
    retryBackoffMult: float
    timeoutMs: int
    rateLimitPerSec: int
    circuitThreshold: int
    circuitResetMs: int
    customHeaders: dict[str, str] | None
    allowedCidrs: list[str] | None
    blockedCidrs: list[str] | None
    deliveryMode: Literal["push", "poll", "storage"]
    storageConfig: EndpointRotatedStorageConfigS3 | EndpointRotatedStorageConfigFile | None
    # last 4 characters of `accessKeyId`; null: there are no credentials
    storageKeyHint: str | None
    hasMtls: bool
    # the client certificate, PEM; its key is never shown
    mtlsCert: str | None
    # last 4 characters; null: the global secret
    signingSecretHint: str | None
    createdAt: str
    updatedAt: str
    signingSecret: str
    # until then the former secret signs as well
    previousValidUntil: str | None


class EventSummary(TypedDict):
    id: str
    idempotencyKey: str
    destination: str | None
    eventType: str | None
    status: Literal["queued", "delivering", "delivered", "failed", "dead"]
    attempts: int
    maxAttempts: int
    priority: int
    createdAt: str
    projectId: str
    # When a delayed event is due; null without a delay.
    deliverAt: str | None
    deliveredAt: str | None
    deadReason: str | None
    traceId: str


class Replay(TypedDict):
    id: str
    endpointId: str
    status: Literal["running", "done"]
    # as found at the start; once done, what was queued again
    total: int
    done: int
    createdAt: str
    endedAt: str | None


class EventExplanationWaitsFor(TypedDict):
    reason: Literal["delay", "fan_out", "in_flight", "backoff", "paused", "disabled", "circuit", "rate_limit", "overflow", "lane", "poll"]
    # when it is looked at again; null: nobody knows
    until: str | None


class EventExplanationEndpointsItemFilterCondition(TypedDict):
    field: str
    operator: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "startsWith", "endsWith", "exists", "regex"]
    value: Any


class EventExplanationEndpointsItemFilter(TypedDict):
    condition: EventExplanationEndpointsItemFilterCondition
    index: int
    # the first ten, and long ones cut short
    found: list[Any]
    # the filter took more steps on this payload than it may, or asked for what is not looked at, so it does not match
    tooCostly: bool


class EventExplanationEndpointsItem(TypedDict):
    endpointId: str
    description: str | None
    url: str
    status: Literal["active", "paused", "disabled", "deleted"]
    matched: bool
    # why it did not match
    reason: Literal["project", "type", "filter", "deleted", "created_later", "test", "destination", "changed"] | None
    # the first condition that failed, and the values that its path found
    filter: EventExplanationEndpointsItemFilter | None
    deliveryId: str | None


class EventExplanation(TypedDict):
    eventId: str
    eventType: str | None
    destination: str | None
    status: Literal["queued", "delivering", "delivered", "failed", "dead"]
    deadReason: str | None
    createdAt: str
    fannedOutAt: str | None
    # of an event that is not fanned out yet
    waitsFor: EventExplanationWaitsFor | None
    # those with a delivery first; at most 1,000, fewer where filters are large or expensive
    endpoints: list[EventExplanationEndpointsItem]
    # `endpoints` leaves out some endpoints
    hasMoreEndpoints: bool
    # at most 1,000
    deliveries: list[ExplainedDelivery]
    # `deliveries` leaves out some deliveries: GET /api/v1/events/{eventId}/deliveries pages through their attempts
    hasMoreDeliveries: bool


class TestTransformationAnswerResult(TypedDict):
    payload: Any
    headers: dict[str, str]


class TestTransformationAnswer(TypedDict):
    # what would be sent; null without an error: the delivery would be dropped
    result: TestTransformationAnswerResult | None
    error: str | None


class EventType(TypedDict):
    id: str
    projectId: str
    name: str
    description: str | None
    schema: dict[str, Any] | None
    schemaVersion: str | None
    createdAt: str
    updatedAt: str


class EventTypePagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class EventTypePage(TypedDict):
    data: list[EventType]
    pagination: EventTypePagePagination


class InboundEndpointLastRejection(TypedDict):
    at: str
    reason: str


class InboundEndpoint(TypedDict):
    id: str
    projectId: str
    name: str
    pathSuffix: str
    source: str
    sourceConfig: dict[str, str | list[str]]
    destinationIds: list[str] | None
    eventTypeMapping: str | None
    description: str | None
    transformation: str | None
    status: Literal["active", "inactive"]
    # where the platform sends its webhooks
    url: str
    receivedCount: int
    rejectedCount: int
    lastReceivedAt: str | None
    # the sender only gets 401
    lastRejection: InboundEndpointLastRejection | None
    createdAt: str
    updatedAt: str


class InboundEndpointPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class InboundEndpointPage(TypedDict):
    data: list[InboundEndpoint]
    pagination: InboundEndpointPagePagination


class InboundVerifiedStepsItem(TypedDict):
    step: str
    expected: str
    found: str
    ok: bool


class InboundVerified(TypedDict):
    verified: bool
    reason: str | None
    steps: list[InboundVerifiedStepsItem]
    eventType: str | None
    deliveryId: str | None


class InboundPresetPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class InboundPresetPage(TypedDict):
    data: list[InboundPreset]
    pagination: InboundPresetPagePagination


class ApiKeyCreated(TypedDict):
    id: str
    # set: the key is bound to this project
    projectId: str | None
    name: str
    keyPrefix: str
    scopes: list[str]
    # requests a second; null: none
    rateLimit: int | None
    expiresAt: str | None
    # false once revoked or expired
    isActive: bool
    createdAt: str
    # shown this once
    key: str


class ApiKeyPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class ApiKeyPage(TypedDict):
    data: list[ApiKey]
    pagination: ApiKeyPagePagination


class Project(TypedDict):
    id: str
    name: str
    environment: Literal["production", "staging", "development"]
    isDefault: bool
    createdAt: str
    updatedAt: str


class ProjectPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class ProjectPage(TypedDict):
    data: list[Project]
    pagination: ProjectPagePagination


class ListAuditLogsAnswerDataItemActor(TypedDict):
    type: Literal["user", "api_key", "sub_account", "system"]
    id: str | None
    name: str | None


class ListAuditLogsAnswerDataItem(TypedDict):
    id: str
    resource: str
    resourceId: str | None
    action: str
    # the person: also who made the API key
    actorUserId: str | None
    actor: ListAuditLogsAnswerDataItemActor
    # `changes`: a list of `{field, from, to}`; secrets are hints only
    metadata: dict[str, Any]
    ip: str | None
    userAgent: str | None
    requestId: str | None
    createdAt: str


class ListAuditLogsAnswerPagination(TypedDict):
    hasMore: bool
    cursor: str | None


class ListAuditLogsAnswer(TypedDict):
    data: list[ListAuditLogsAnswerDataItem]
    pagination: ListAuditLogsAnswerPagination


class AuthUser(TypedDict):
    id: str
    email: str
    name: str | None
    emailVerified: bool
    # a second factor is asked for after the password
    mfaEnabled: bool


class Me(TypedDict):
    id: str
    name: str
    plan: Literal["free", "starter", "growth", "scale", "self_hosted"]
    createdAt: str
    onboardingComplete: bool
    # null: an API key
    user: AuthUser | None
    # null: an API key
    role: Literal["viewer", "editor", "admin"] | None
    scopes: list[str]


class EntitlementsLimitsRetentionDays(TypedDict):
    # in days; 0: for ever
    events: int
    # in days; 0: for ever
    attempts: int
    # in days; 0: for ever
    auditLogs: int
    # in days; 0: for ever
    authAudit: int


class EntitlementsLimits(TypedDict):
    # 0: no limit
    eventsPerMonth: int
    # over all API keys and sessions together; 0: no limit
    requestsPerSecond: int
    # 0: no limit
    endpoints: int
    # the largest `rateLimitPerSec`; 0: no limit
    endpointRatePerSec: int
    retentionDays: EntitlementsLimitsRetentionDays


class EntitlementsFeatures(TypedDict):
    transformations: bool
    inbound: bool
    alerting: bool
    sub_accounts: bool
    sso: bool
    saml: bool
    scim: bool
    gdpr: bool


class Entitlements(TypedDict):
    plan: Literal["free", "starter", "growth", "scale", "self_hosted"]
    limits: EntitlementsLimits
    features: EntitlementsFeatures


class CurrentUsagePeriod(TypedDict):
    start: str
    end: str


class CurrentUsage(TypedDict):
    period: CurrentUsagePeriod
    # accepted in the period; at most two seconds old
    events: int
    # 0: no limit
    limit: int
    # null: no limit
    remaining: int | None
    resetsAt: str


class UsageHistoryDataItem(TypedDict):
    # in UTC, as 2026-11
    month: str
    events: int
    attempts: int


class UsageHistory(TypedDict):
    data: list[UsageHistoryDataItem]


class GetAnalyticsSummaryAnswerDataItem(TypedDict):
    # its beginning
    bucket: str
    # events accepted; of an endpoint: deliveries that were made for it
    sent: int
    # deliveries, acknowledged ones among them
    delivered: int
    # attempts that failed
    failed: int
    # deliveries that were given up
    deadLettered: int
    attempts: int
    # `delivered` among `delivered` and `failed`, in per cent; 0: there were none
    successRate: float


GetAnalyticsSummaryAnswer = TypedDict("GetAnalyticsSummaryAnswer", {
    "from": "str",
    "to": "str",
    "bucket": "Literal[\"hour\", \"day\"]",
    "data": "list[GetAnalyticsSummaryAnswerDataItem]",
})


class GetAnalyticsOutcomesAnswerDataItem(TypedDict):
    # its beginning
    bucket: str
    success: int
    # without timeouts
    failure: int
    timeout: int


GetAnalyticsOutcomesAnswer = TypedDict("GetAnalyticsOutcomesAnswer", {
    "from": "str",
    "to": "str",
    "bucket": "Literal[\"hour\", \"day\"]",
    "data": "list[GetAnalyticsOutcomesAnswerDataItem]",
})


class GetAnalyticsThroughputAnswerDataItem(TypedDict):
    # its beginning
    bucket: str
    accepted: int
    delivered: int
    # accepted, over the part of the bucket that is asked for
    perSecond: float


GetAnalyticsThroughputAnswer = TypedDict("GetAnalyticsThroughputAnswer", {
    "from": "str",
    "to": "str",
    "bucket": "Literal[\"hour\", \"day\"]",
    "data": "list[GetAnalyticsThroughputAnswerDataItem]",
})


class GetAnalyticsLatencyAnswerDataItem(TypedDict):
    # its beginning
    bucket: str
    # at most 4.5 % off; 0: there were no attempts
    p50: float
    # at most 4.5 % off; 0: there were no attempts
    p95: float
    # at most 4.5 % off; 0: there were no attempts
    p99: float
    # attempts
    count: int


GetAnalyticsLatencyAnswer = TypedDict("GetAnalyticsLatencyAnswer", {
    "from": "str",
    "to": "str",
    "bucket": "Literal[\"hour\", \"day\"]",
    "data": "list[GetAnalyticsLatencyAnswerDataItem]",
})


class GetAnalyticsFailuresAnswerDataItem(TypedDict):
    # its beginning
    bucket: str
    timeout: int
    http_4xx: int
    http_5xx: int
    dns: int
    tls: int
    refused: int
    other: int


GetAnalyticsFailuresAnswer = TypedDict("GetAnalyticsFailuresAnswer", {
    "from": "str",
    "to": "str",
    "bucket": "Literal[\"hour\", \"day\"]",
    "data": "list[GetAnalyticsFailuresAnswerDataItem]",
})


class GetEndpointHealthAnswerDataItem(TypedDict):
    endpointId: str
    # null: the endpoint is polled, or stores
    url: str | None
    status: Literal["active", "paused", "disabled"]
    # successes among successes and failures, in per cent; null: there were none
    deliveryRate: float | None
    p95Ms: float | None
    circuitState: Literal["closed", "open", "half_open"]
    openUntil: str | None
    # to the second
    lastSuccessAt: str | None
    # to the second
    lastFailureAt: str | None
    # at most 10,000 are counted
    waiting: int
    # more may wait: of each endpoint 10,000 are counted, and of all together a million
    capped: NotRequired[Literal[True]]


GetEndpointHealthAnswer = TypedDict("GetEndpointHealthAnswer", {
    "from": "str",
    "to": "str",
    # worst first; of the newest 1000 endpoints
    "data": "list[GetEndpointHealthAnswerDataItem]",
})


class GetStatsAnswer(TypedDict):
    # deliveries that wait for their first attempt, and events for fan-out
    queued: int
    # deliveries on their way
    delivering: int
    # deliveries that wait for another attempt
    failed: int
    # events of which a delivery was given up, as long as they are kept
    dead: int
    deliveredLastMinute: int
    # accepted, over the last ten seconds
    eventsPerSecond: float
    # delivered, over the last ten seconds
    deliveriesPerSecond: float
    # for how long the oldest of what is due has waited; 0: nothing is
    oldestQueuedSeconds: float
    # a count stopped at 10,000
    capped: NotRequired[Literal[True]]
    at: str


class GetRateLimitsAnswerApiKeysItem(TypedDict):
    id: str
    name: str
    # per second; null: no limit of its own
    limit: int | None
    remaining: int | None
    resetAt: str | None


class GetRateLimitsAnswerEndpointsItem(TypedDict):
    id: str
    # null: no limit
    limitPerSec: int | None
    availableTokens: int | None
    waiting: int
    # more may wait: of each endpoint 10,000 are counted, and of all together a million
    capped: NotRequired[Literal[True]]


class GetRateLimitsAnswer(TypedDict):
    apiKeys: list[GetRateLimitsAnswerApiKeysItem]
    endpoints: list[GetRateLimitsAnswerEndpointsItem]


class GetEndpointRateLimitAnswer(TypedDict):
    id: str
    # null: no limit
    limitPerSec: int | None
    availableTokens: int | None
    waiting: int
    # more may wait: of each endpoint 10,000 are counted, and of all together a million
    capped: NotRequired[Literal[True]]
    # deliveries that the limit held up in the last minute
    throttledLastMinute: int


class SecuritySettings(TypedDict):
    # members without a second factor may only enrol one
    requireMfa: bool


class TeamPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class TeamPage(TypedDict):
    data: list[TeamMember]
    pagination: TeamPagePagination


class TeamMember(TypedDict):
    # until an invitation is accepted, the invitation's own id
    userId: str
    email: str
    name: str | None
    role: Literal["viewer", "editor", "admin"]
    status: Literal["active", "invited", "deactivated"]
    source: Literal["signup", "invite", "sso", "scim"]
    lastLoginAt: str | None
    createdAt: str


class CreateSubAccountAnswer(TypedDict):
    id: str
    externalId: str
    name: str | None
    email: str | None
    metadata: dict[str, Any] | None
    status: Literal["active", "deactivated"]
    createdAt: str
    updatedAt: str


class ListSubAccountsAnswerPagination(TypedDict):
    hasMore: bool
    cursor: str | None


class ListSubAccountsAnswer(TypedDict):
    data: list[CreateSubAccountAnswer]
    pagination: ListSubAccountsAnswerPagination


class SubAccountSessionMinted(TypedDict):
    id: str
    # taken once, by POST /sub-account-api/auth/exchange
    token: str
    # the link to give to the customer: it opens once
    url: str
    expiresAt: str
    returnURL: str
    scopes: list[Literal["endpoints:read", "endpoints:write", "events:read", "events:retry", "deliveries:read"]]


class SubAccountSessionPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class SubAccountSessionPage(TypedDict):
    data: list[SubAccountSessionItem]
    pagination: SubAccountSessionPagePagination


GetSubAccountSettingsAnswerThemeLight = TypedDict("GetSubAccountSettingsAnswerThemeLight", {
    "--bg-000": "str",
    "--bg-100": "str",
    "--bg-200": "str",
    "--accent-main-100": "str",
    "--accent-main-900": "str",
    "--chart-delivered": "str",
    "--chart-failed": "str",
    "--chart-dead": "str",
    "--warning-100": "str",
})


GetSubAccountSettingsAnswerThemeDark = TypedDict("GetSubAccountSettingsAnswerThemeDark", {
    "--bg-000": "str",
    "--bg-100": "str",
    "--bg-200": "str",
    "--accent-main-100": "str",
    "--accent-main-900": "str",
    "--chart-delivered": "str",
    "--chart-failed": "str",
    "--chart-dead": "str",
    "--warning-100": "str",
})


class GetSubAccountSettingsAnswerTheme(TypedDict):
    brandName: str | None
    logo: str | None
    font: Literal["inter", "system", "serif", "monospace"]
    light: GetSubAccountSettingsAnswerThemeLight | None
    dark: GetSubAccountSettingsAnswerThemeDark | None


class GetSubAccountSettingsAnswer(TypedDict):
    defaultReturnUrl: str | None
    theme: GetSubAccountSettingsAnswerTheme | None


class ListSsoConnectionsAnswerPagination(TypedDict):
    hasMore: bool
    cursor: str | None


class ListSsoConnectionsAnswer(TypedDict):
    data: list[CreateSsoConnectionAnswer]
    pagination: ListSsoConnectionsAnswerPagination


class CreateSsoConnectionAnswerOidc(TypedDict):
    issuer: str
    clientId: str
    # the redirect URI to register at the provider
    callbackUrl: str


class CreateSsoConnectionAnswerSaml(TypedDict):
    idpEntityId: str
    idpSsoUrl: str
    idpCertificates: list[str]
    wantResponseSigned: bool
    spEntityId: str
    acsUrl: str
    metadataUrl: str


class CreateSsoConnectionAnswer(TypedDict):
    id: str
    type: Literal["oidc", "saml"]
    name: str
    slug: str
    domains: list[str]
    enforced: bool
    defaultRole: Literal["viewer", "editor", "admin"]
    breakGlassUserId: str | None
    status: Literal["active", "inactive"]
    loginUrl: str
    oidc: CreateSsoConnectionAnswerOidc | None
    saml: CreateSsoConnectionAnswerSaml | None
    createdAt: str
    updatedAt: str


class ListSsoDomainsAnswerPagination(TypedDict):
    hasMore: bool
    cursor: str | None


class ListSsoDomainsAnswer(TypedDict):
    data: list[CreateSsoDomainAnswer]
    pagination: ListSsoDomainsAnswerPagination


class CreateSsoDomainAnswer(TypedDict):
    id: str
    domain: str
    status: Literal["pending", "verified"]
    # the text of a TXT record of the domain itself
    txtRecord: str
    createdAt: str
    verifiedAt: str | None


class ListScimTokensAnswerDataItem(TypedDict):
    id: str
    name: str
    createdAt: str
    lastUsedAt: str | None


class ListScimTokensAnswerPagination(TypedDict):
    hasMore: bool
    cursor: str | None


class ListScimTokensAnswer(TypedDict):
    data: list[ListScimTokensAnswerDataItem]
    pagination: ListScimTokensAnswerPagination


class CreateScimTokenAnswer(TypedDict):
    id: str
    name: str
    createdAt: str
    lastUsedAt: str | None
    # shown this once
    token: str


class GetBillingOverviewAnswerSubscriptionScheduledChange(TypedDict):
    planId: str
    cycle: Literal["monthly", "annual"]
    effectiveAt: str


class GetBillingOverviewAnswerSubscription(TypedDict):
    planId: str
    cycle: Literal["monthly", "annual"]
    status: str
    currentPeriodStart: str | None
    currentPeriodEnd: str | None
    cancelAtPeriodEnd: bool
    scheduledChange: GetBillingOverviewAnswerSubscriptionScheduledChange | None


class GetBillingOverviewAnswerInvoicesItem(TypedDict):
    id: str
    number: str | None
    amountDue: int
    amountPaid: int
    currency: str
    status: str
    createdAt: str
    hostedUrl: str | None
    pdfUrl: str | None


class GetBillingOverviewAnswerPlansItemLimitsRetentionDays(TypedDict):
    events: int
    attempts: int
    auditLogs: int
    authAudit: int


class GetBillingOverviewAnswerPlansItemLimits(TypedDict):
    eventsPerMonth: int
    requestsPerSecond: int
    endpoints: int
    endpointRatePerSec: int
    retentionDays: GetBillingOverviewAnswerPlansItemLimitsRetentionDays


class GetBillingOverviewAnswerPlansItem(TypedDict):
    id: str
    name: str
    monthly: int | None
    annual: int | None
    currency: str | None
    limits: GetBillingOverviewAnswerPlansItemLimits
    features: dict[str, bool]


class GetBillingOverviewAnswer(TypedDict):
    plan: str
    subscription: GetBillingOverviewAnswerSubscription | None
    invoices: list[GetBillingOverviewAnswerInvoicesItem]
    plans: list[GetBillingOverviewAnswerPlansItem]


class ListBillingPlansAnswerPlansItemLimitsRetentionDays(TypedDict):
    events: int
    attempts: int
    auditLogs: int
    authAudit: int


class ListBillingPlansAnswerPlansItemLimits(TypedDict):
    eventsPerMonth: int
    requestsPerSecond: int
    endpoints: int
    endpointRatePerSec: int
    retentionDays: ListBillingPlansAnswerPlansItemLimitsRetentionDays


class ListBillingPlansAnswerPlansItem(TypedDict):
    id: str
    name: str
    monthly: int | None
    annual: int | None
    currency: str | None
    limits: ListBillingPlansAnswerPlansItemLimits
    features: dict[str, bool]


class ListBillingPlansAnswer(TypedDict):
    plans: list[ListBillingPlansAnswerPlansItem]


class GetSubscriptionAnswerSubscriptionScheduledChange(TypedDict):
    planId: str
    cycle: Literal["monthly", "annual"]
    effectiveAt: str


class GetSubscriptionAnswerSubscription(TypedDict):
    planId: str
    cycle: Literal["monthly", "annual"]
    status: str
    currentPeriodStart: str | None
    currentPeriodEnd: str | None
    cancelAtPeriodEnd: bool
    scheduledChange: GetSubscriptionAnswerSubscriptionScheduledChange | None


class GetSubscriptionAnswer(TypedDict):
    subscription: GetSubscriptionAnswerSubscription | None


class ListInvoicesAnswerInvoicesItem(TypedDict):
    id: str
    number: str | None
    amountDue: int
    amountPaid: int
    currency: str
    status: str
    createdAt: str
    hostedUrl: str | None
    pdfUrl: str | None


class ListInvoicesAnswer(TypedDict):
    invoices: list[ListInvoicesAnswerInvoicesItem]


class CheckOutAnswer(TypedDict):
    url: str


class PreviewPlanChangeAnswerLinesItem(TypedDict):
    description: str
    amount: int
    proration: bool
    periodStart: str
    periodEnd: str


class PreviewPlanChangeAnswer(TypedDict):
    planId: str
    cycle: Literal["monthly", "annual"]
    effective: Literal["immediately", "period_end"]
    effectiveAt: str
    currency: str
    amountDue: int
    recurringAmount: int
    lines: list[PreviewPlanChangeAnswerLinesItem]


class AlertRuleCondition(TypedDict):
    metric: Literal["failure_rate", "success_rate", "latency", "queue_depth", "error_count", "delivery_count"]
    operator: Literal["gt", "gte", "lt", "lte", "eq", "ne"]
    value: float
    window: str


class AlertRuleActionSlack(TypedDict):
    type: Literal["slack"]
    webhookUrl: str
    channel: str | None
    message: str | None


class AlertRuleActionEmail(TypedDict):
    type: Literal["email"]
    to: list[str]
    subject: str | None
    message: str | None


class AlertRuleActionWebhook(TypedDict):
    type: Literal["webhook"]
    webhookUrl: str
    headers: dict[str, str] | None
    message: str | None


class AlertRuleActionPagerduty(TypedDict):
    type: Literal["pagerduty"]
    routingKey: str
    severity: Literal["critical", "error", "warning", "info"] | None
    message: str | None


class AlertRule(TypedDict):
    id: str
    name: str
    description: str | None
    enabled: bool
    condition: AlertRuleCondition
    # the condition as `POST /api/v1/alert-rules` takes it
    conditionText: str
    action: AlertRuleActionSlack | AlertRuleActionEmail | AlertRuleActionWebhook | AlertRuleActionPagerduty | None
    connectorName: str | None
    cooldown: str
    # the only endpoint that counts; null: all of them
    endpointId: str | None
    state: Literal["ok", "firing"]
    stateSince: str
    lastValue: float | None
    lastEvaluatedAt: str | None
    createdAt: str
    updatedAt: str


class AlertRulePagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class AlertRulePage(TypedDict):
    data: list[AlertRule]
    pagination: AlertRulePagePagination


class NotificationTested(TypedDict):
    delivery: Literal["sent", "failed"]
    statusCode: int | None
    error: str | None


class AlertsEvaluatedResultsItem(TypedDict):
    ruleId: str
    # null: there is no data in the window
    value: float | None
    matched: bool
    state: Literal["ok", "firing"]


class AlertsEvaluated(TypedDict):
    evaluated: int
    firing: int
    results: list[AlertsEvaluatedResultsItem]


class AlertHistoryPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class AlertHistoryPage(TypedDict):
    data: list[AlertHistoryItem]
    pagination: AlertHistoryPagePagination


AlertPreviewFiringsItem = TypedDict("AlertPreviewFiringsItem", {
    "from": "str",
    "to": "str",
    "peak": "float",
})


class AlertPreview(TypedDict):
    firings: list[AlertPreviewFiringsItem]


class ConnectorTemplate(TypedDict):
    title: str | None
    text: str | None
    color: str | None


class Connector(TypedDict):
    id: str
    name: str
    type: Literal["slack", "discord", "teams", "email", "webhook"]
    # secrets are masked
    config: dict[str, Any]
    template: ConnectorTemplate | None
    eventTypes: list[str]
    createdAt: str
    updatedAt: str


class ConnectorPagePagination(TypedDict):
    hasMore: bool
    cursor: str | None


class ConnectorPage(TypedDict):
    data: list[Connector]
    pagination: ConnectorPagePagination


class AlertHistoryItem(TypedDict):
    id: str
    ruleId: str
    ruleName: str
    status: Literal["firing", "resolved"]
    value: float | None
    threshold: float
    at: str
    delivery: Literal["pending", "sent", "failed"]
    attempts: int
    error: str | None


class ApiKey(TypedDict):
    id: str
    # set: the key is bound to this project
    projectId: str | None
    name: str
    keyPrefix: str
    scopes: list[str]
    # requests a second; null: none
    rateLimit: int | None
    expiresAt: str | None
    # false once revoked or expired
    isActive: bool
    createdAt: str


class Attempt(TypedDict):
    id: str
    eventId: str
    deliveryId: str
    endpointId: str | None
    endpointVersion: int | None
    eventType: str | None
    url: str
    attemptNumber: int
    # 0 when no response came
    statusCode: int
    responseBody: str
    responseHeaders: dict[str, str] | None
    # null when it is the event's payload
    requestBody: str | None
    # "" on success, else "<category>: <detail>"
    error: str
    durationMs: int
    processingOverheadUs: int
    attemptedAt: str
    nextAttemptAt: str | None


class EventListItem(TypedDict):
    id: str
    idempotencyKey: str
    destination: str | None
    eventType: str | None
    status: Literal["queued", "delivering", "delivered", "failed", "dead"]
    attempts: int
    maxAttempts: int
    priority: int
    createdAt: str
    projectId: str
    # When a delayed event is due; null without a delay.
    deliverAt: str | None
    deliveredAt: str | None
    deadReason: str | None
    traceId: str
    # of the last attempt, 0 when no response came; null before the first
    lastStatusCode: int | None
    # of the last attempt, "" on success; null before the first
    lastError: str | None
    # the earliest time of a next attempt; null when no delivery waits for one
    nextAttemptAt: str | None


class ExplainedDeliveryWaitsFor(TypedDict):
    reason: Literal["delay", "fan_out", "in_flight", "backoff", "paused", "disabled", "circuit", "rate_limit", "overflow", "lane", "poll"]
    # when it is looked at again; null: nobody knows
    until: str | None


class ExplainedDelivery(TypedDict):
    id: str
    # null: a direct event
    endpointId: str | None
    state: Literal["queued", "delivering", "waiting", "delivered", "dead"]
    # since the last replay
    attempts: int
    maxAttempts: int
    waitsFor: ExplainedDeliveryWaitsFor | None
    lastError: str | None
    deadReason: str | None


class InboundPreset(TypedDict):
    source: str
    name: str
    description: str
    mode: str
    configKeys: list[str]
    signatureHeaders: list[str]
    eventTypePath: str | None
    docs: str


class SubAccountSessionItem(TypedDict):
    id: str
    scopes: list[Literal["endpoints:read", "endpoints:write", "events:read", "events:retry", "deliveries:read"]]
    return_url: str
    created_at: str
    expires_at: str
    max_expires_at: str
    consumed_at: str | None
    revoked_at: str | None
    last_used_at: str | None
    use_count: int
