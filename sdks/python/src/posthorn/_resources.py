"""All resources of the API. Generated from the route catalog by `npm run sdks`: do not edit."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._paging import AsyncPaginator, Paginator
from ._request import Call, segment

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import types
    from ._request import AsyncRequest, Request, RequestOptions


class EventsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create(
        self,
        body: types.CreateEvent,
        **options: Unpack[RequestOptions],
    ) -> types.EventCreated:
        """Accept an event, for one destination or for every endpoint subscribed to its type."""
        return self._request(Call("POST", "/api/v1/events", body=body, has_key=True), options)

    def create_batch(
        self,
        body: types.CreateBatch,
        **options: Unpack[RequestOptions],
    ) -> types.BatchCreated:
        """Accept up to 100 direct events, all or none."""
        return self._request(Call("POST", "/api/v1/events/batch", body=body), options)

    def replay_batch(
        self,
        body: types.RetryBatch,
        **options: Unpack[RequestOptions],
    ) -> types.BatchRetried:
        """Replay many events: by ids, by status, or by endpoint."""
        return self._request(Call("POST", "/api/v1/events/batch/retry", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["queued", "delivering", "delivered", "failed", "dead"] | None = None,
        event_type: str | None = None,
        endpoint_id: str | None = None,
        destination: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.EventListItem]:
        """List events, newest first.

        destination: direct events to exactly this URL
        from_: accepted at this time or later
        to: accepted before this time
        """
        return Paginator(self._request, Call("GET", "/api/v1/events", query={"limit": limit, "cursor": cursor, "status": status, "eventType": event_type, "endpointId": endpoint_id, "destination": destination, "from": from_, "to": to}), options)

    def get(
        self,
        event_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventDetail:
        """One event with its attempts."""
        return self._request(Call("GET", f"/api/v1/events/{segment(event_id)}"), options)

    def edit(
        self,
        event_id: str,
        body: types.EditEvent,
        **options: Unpack[RequestOptions],
    ) -> types.EventDetail:
        """Edit a failed or dead event, and replay it on request; as with a replay, 409 beyond 30,000 attempts, and while retention removes it."""
        return self._request(Call("PATCH", f"/api/v1/events/{segment(event_id)}", body=body), options)

    def replay(
        self,
        event_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventDetail:
        """Queue again the deliveries of an event that did not succeed; 409 beyond 30,000 attempts of one over all replays, and while retention removes the event."""
        return self._request(Call("POST", f"/api/v1/events/{segment(event_id)}/replay"), options)

    def list_deliveries(
        self,
        event_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.EventDeliveries:
        """An event's delivery attempts in the order in which they were made."""
        return self._request(Call("GET", f"/api/v1/events/{segment(event_id)}/deliveries", query={"limit": limit, "cursor": cursor}), options)

    def explain(
        self,
        event_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventExplanation:
        """Why an event went to which endpoints, and what its deliveries wait for."""
        return self._request(Call("GET", f"/api/v1/events/{segment(event_id)}/explain"), options)


class DeliveriesResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        range: Literal["1h", "24h", "7d", "30d"] | None = None,
        start: str | None = None,
        end: str | None = None,
        outcome: Literal["success", "failure", "timeout"] | None = None,
        endpoint_id: str | None = None,
        event_type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.DeliveryPage:
        """List delivery attempts, newest first."""
        return self._request(Call("GET", "/api/v1/deliveries", query={"range": range, "start": start, "end": end, "outcome": outcome, "endpoint_id": endpoint_id, "event_type": event_type, "limit": limit, "offset": offset}), options)

    def get(
        self,
        delivery_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.AttemptDetail:
        """One delivery attempt."""
        return self._request(Call("GET", f"/api/v1/deliveries/{segment(delivery_id)}"), options)


class PollResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def receive(
        self,
        *,
        endpoint_id: str,
        limit: int | None = None,
        timeout: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.PollEventsAnswer:
        """Fetch the oldest events of an endpoint in poll mode, or wait for some; each must be acknowledged within the visibility timeout."""
        return self._request(Call("GET", "/api/v1/poll", query={"endpoint_id": endpoint_id, "limit": limit, "timeout": timeout}), options)

    def ack(
        self,
        body: types.AckPolled,
        **options: Unpack[RequestOptions],
    ) -> types.AckPolledAnswer:
        """Acknowledge fetched events: they are delivered."""
        return self._request(Call("POST", "/api/v1/poll/ack", body=body), options)


class EndpointsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create(
        self,
        body: types.CreateEndpoint,
        **options: Unpack[RequestOptions],
    ) -> types.EndpointCreated:
        """Create an endpoint."""
        return self._request(Call("POST", "/api/v1/endpoints", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.Endpoint]:
        """List endpoints, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/endpoints", query={"limit": limit, "cursor": cursor}), options)

    def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """One endpoint."""
        return self._request(Call("GET", f"/api/v1/endpoints/{segment(id)}"), options)

    def update(
        self,
        id: str,
        body: types.UpdateEndpoint,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """Change an endpoint; each change makes a numbered version."""
        return self._request(Call("PATCH", f"/api/v1/endpoints/{segment(id)}", body=body), options)

    def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete an endpoint; its pending deliveries become dead."""
        return self._request(Call("DELETE", f"/api/v1/endpoints/{segment(id)}"), options)

    def pause(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """Hold an endpoint’s deliveries."""
        return self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/pause"), options)

    def resume(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """End a pause, or the disabling by a 410, and release what waits in order."""
        return self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/resume"), options)

    def list_versions(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.EndpointVersion]:
        """List the versions of an endpoint, newest first."""
        return Paginator(self._request, Call("GET", f"/api/v1/endpoints/{segment(id)}/versions", query={"limit": limit, "cursor": cursor}), options)

    def diff_versions(
        self,
        id: str,
        *,
        v1: int,
        v2: int,
        **options: Unpack[RequestOptions],
    ) -> types.VersionDiff:
        """What differs between two versions of an endpoint."""
        return self._request(Call("GET", f"/api/v1/endpoints/{segment(id)}/versions/diff", query={"v1": v1, "v2": v2}), options)

    def get_version(
        self,
        id: str,
        n: int,
        **options: Unpack[RequestOptions],
    ) -> types.EndpointVersion:
        """One version of an endpoint."""
        return self._request(Call("GET", f"/api/v1/endpoints/{segment(id)}/versions/{segment(n)}"), options)

    def rollback(
        self,
        id: str,
        n: int,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """Set an endpoint to what a version has, as a new version; secrets stay as they are."""
        return self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/versions/{segment(n)}/rollback"), options)

    def rotate_secret(
        self,
        id: str,
        body: types.RotateSecret | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.EndpointRotated:
        """Give an endpoint a new secret of its own; both sign while the grace lasts."""
        body = body or {}
        return self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/rotate-secret", body=body), options)

    def set_mtls(
        self,
        id: str,
        body: types.SetMtls,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """Set the client certificate that deliveries present; its key is never shown."""
        return self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/mtls", body=body), options)

    def remove_mtls(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Present no client certificate any more."""
        return self._request(Call("DELETE", f"/api/v1/endpoints/{segment(id)}/mtls"), options)

    def test(
        self,
        id: str,
        body: types.TestEndpoint | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.EventSummary:
        """Send a sample event to this endpoint alone, whatever it subscribes to."""
        body = body or {}
        return self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/test", body=body), options)

    def replay(
        self,
        id: str,
        body: types.CreateReplay,
        **options: Unpack[RequestOptions],
    ) -> types.Replay:
        """Begin to queue again what an endpoint did not take of the events of a span of time."""
        return self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/replay", body=body), options)


class EgressIpsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.EgressIps:
        """Addresses that deliveries come from, for allow lists."""
        return self._request(Call("GET", "/api/v1/egress-ips"), options)


class SigningSecretResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GlobalSecret:
        """The secret of direct events and of endpoints without one of their own."""
        return self._request(Call("GET", "/api/v1/signing-secret"), options)

    def rotate(
        self,
        body: types.RotateSecret | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GlobalSecret:
        """Replace the global secret; both sign while the grace lasts."""
        body = body or {}
        return self._request(Call("POST", "/api/v1/signing-secret/rotate", body=body), options)


class ReplaysResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.Replay:
        """How far a bulk replay is."""
        return self._request(Call("GET", f"/api/v1/replays/{segment(id)}"), options)


class TransformationsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def test(
        self,
        body: types.TestTransformation,
        **options: Unpack[RequestOptions],
    ) -> types.TestTransformationAnswer:
        """Run a transformation on an event of your own; nothing is sent or saved."""
        return self._request(Call("POST", "/api/v1/transformations/test", body=body), options)


class EventTypesResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create(
        self,
        body: types.CreateEventType,
        **options: Unpack[RequestOptions],
    ) -> types.EventType:
        """Create an event type; with a schema, payloads are checked against it."""
        return self._request(Call("POST", "/api/v1/event-types", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.EventType]:
        """List event types, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/event-types", query={"limit": limit, "cursor": cursor}), options)

    def get_by_name(
        self,
        name: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventType:
        """One event type by its name."""
        return self._request(Call("GET", f"/api/v1/event-types/by-name/{segment(name)}"), options)

    def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventType:
        """One event type."""
        return self._request(Call("GET", f"/api/v1/event-types/{segment(id)}"), options)

    def update(
        self,
        id: str,
        body: types.UpdateEventType,
        **options: Unpack[RequestOptions],
    ) -> types.EventType:
        """Change an event type; fields left out stay as they are."""
        return self._request(Call("PUT", f"/api/v1/event-types/{segment(id)}", body=body), options)

    def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete an event type; events of that name are no longer checked."""
        return self._request(Call("DELETE", f"/api/v1/event-types/{segment(id)}"), options)


class InboundEndpointsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create(
        self,
        body: types.CreateInboundEndpoint,
        **options: Unpack[RequestOptions],
    ) -> types.InboundEndpoint:
        """Create an inbound endpoint for a platform’s webhooks."""
        return self._request(Call("POST", "/api/v1/inbound-endpoints", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.InboundEndpoint]:
        """List inbound endpoints, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/inbound-endpoints", query={"limit": limit, "cursor": cursor}), options)

    def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.InboundEndpoint:
        """One inbound endpoint, with how its last requests went."""
        return self._request(Call("GET", f"/api/v1/inbound-endpoints/{segment(id)}"), options)

    def update(
        self,
        id: str,
        body: types.PatchInboundEndpoint,
        **options: Unpack[RequestOptions],
    ) -> types.InboundEndpoint:
        """Change an inbound endpoint."""
        return self._request(Call("PATCH", f"/api/v1/inbound-endpoints/{segment(id)}", body=body), options)

    def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete an inbound endpoint; its events stay."""
        return self._request(Call("DELETE", f"/api/v1/inbound-endpoints/{segment(id)}"), options)

    def verify(
        self,
        id: str,
        body: types.VerifyInbound,
        **options: Unpack[RequestOptions],
    ) -> types.InboundVerified:
        """Verify a request step by step, as the inbound receiver would, without making an event."""
        return self._request(Call("POST", f"/api/v1/inbound-endpoints/{segment(id)}/verify", body=body), options)


class InboundPresetsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.InboundPresetPage:
        """All platforms, and what each is configured with."""
        return self._request(Call("GET", "/api/v1/inbound-presets"), options)


class ApiKeysResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create(
        self,
        body: types.CreateApiKey,
        **options: Unpack[RequestOptions],
    ) -> types.ApiKeyCreated:
        """Create an API key; the key itself is shown this once."""
        return self._request(Call("POST", "/api/v1/api-keys", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.ApiKey]:
        """List API keys, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/api-keys", query={"limit": limit, "cursor": cursor}), options)

    def revoke(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Revoke an API key; in force everywhere within 2 seconds."""
        return self._request(Call("DELETE", f"/api/v1/api-keys/{segment(id)}"), options)


class ProjectsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create(
        self,
        body: types.CreateProject,
        **options: Unpack[RequestOptions],
    ) -> types.Project:
        """Create a project."""
        return self._request(Call("POST", "/api/v1/projects", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.Project]:
        """List projects, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/projects", query={"limit": limit, "cursor": cursor}), options)

    def update(
        self,
        id: str,
        body: types.UpdateProject,
        **options: Unpack[RequestOptions],
    ) -> types.Project:
        """Change a project."""
        return self._request(Call("PATCH", f"/api/v1/projects/{segment(id)}", body=body), options)

    def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete a project without endpoints; the default one stays."""
        return self._request(Call("DELETE", f"/api/v1/projects/{segment(id)}"), options)


class AuditLogsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        resource: str | None = None,
        action: str | None = None,
        actor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.ListAuditLogsAnswerDataItem]:
        """List who changed what, newest first.

        action: with a dot at its end: every action that begins so
        actor: the id of a user, who also acts by the keys that they made; of an API key or a sub-account; an e-mail address; or `system`
        """
        return Paginator(self._request, Call("GET", "/api/v1/audit-logs", query={"limit": limit, "cursor": cursor, "resource": resource, "action": action, "actor": actor, "from": from_, "to": to}), options)


class MeResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.Me:
        """The workspace, and who calls."""
        return self._request(Call("GET", "/api/v1/me"), options)

    def complete_onboarding(
        self,
        body: types.CompleteOnboarding | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.Me:
        """Note that the first steps in the workspace are done, and what it is called."""
        body = body or {}
        return self._request(Call("POST", "/api/v1/me/onboarding-complete", body=body), options)

    def get_security(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.SecuritySettings:
        """What the workspace asks of its members."""
        return self._request(Call("GET", "/api/v1/me/security"), options)

    def update_security(
        self,
        body: types.UpdateSecurity,
        **options: Unpack[RequestOptions],
    ) -> types.SecuritySettings:
        """Ask a second factor of each member; those without one may only set one up."""
        return self._request(Call("PATCH", "/api/v1/me/security", body=body), options)


class EntitlementsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.Entitlements:
        """What the plan of the workspace allows."""
        return self._request(Call("GET", "/api/v1/entitlements"), options)


class UsageResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get_current(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.CurrentUsage:
        """The events of this month, and what is left of its quota."""
        return self._request(Call("GET", "/api/v1/usage/current"), options)

    def get_history(
        self,
        *,
        months: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.UsageHistory:
        """The events and attempts of each month, newest first."""
        return self._request(Call("GET", "/api/v1/usage/history", query={"months": months}), options)


class AnalyticsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get_summary(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsSummaryAnswer:
        """What was sent, delivered, failed and given up, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return self._request(Call("GET", "/api/v1/analytics/summary", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    def get_outcomes(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsOutcomesAnswer:
        """Successes, failures and timeouts, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return self._request(Call("GET", "/api/v1/analytics/outcomes", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    def get_throughput(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsThroughputAnswer:
        """Events per second, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return self._request(Call("GET", "/api/v1/analytics/throughput", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    def get_latency(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsLatencyAnswer:
        """Percentiles of the durations of attempts, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return self._request(Call("GET", "/api/v1/analytics/latency", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    def get_failures(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsFailuresAnswer:
        """Failed attempts by category, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return self._request(Call("GET", "/api/v1/analytics/failures", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    def get_endpoint_health(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetEndpointHealthAnswer:
        """How endpoints are doing, worst first.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return self._request(Call("GET", "/api/v1/analytics/endpoint-health", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)


class StatsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetStatsAnswer:
        """What waits, fails and is delivered just now."""
        return self._request(Call("GET", "/api/v1/stats"), options)


class MetricsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get_rate_limits(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetRateLimitsAnswer:
        """How much of the rate limits of API keys and endpoints is left."""
        return self._request(Call("GET", "/api/v1/metrics/rate-limits"), options)

    def get_endpoint_rate_limit(
        self,
        endpoint_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.GetEndpointRateLimitAnswer:
        """How much of an endpoint's rate limit is left."""
        return self._request(Call("GET", f"/api/v1/metrics/rate-limits/endpoint/{segment(endpoint_id)}"), options)


class TeamResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.TeamMember]:
        """List members and open invitations, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/team", query={"limit": limit, "cursor": cursor}), options)

    def invite_member(
        self,
        body: types.InviteMember,
        **options: Unpack[RequestOptions],
    ) -> types.TeamMember:
        """Invite somebody by mail; again to the same address sends a new link."""
        return self._request(Call("POST", "/api/v1/team/invite", body=body), options)

    def update_member(
        self,
        user_id: str,
        body: types.UpdateMember,
        **options: Unpack[RequestOptions],
    ) -> types.TeamMember:
        """Change the role of a member or of an invitation."""
        return self._request(Call("PATCH", f"/api/v1/team/{segment(user_id)}", body=body), options)

    def remove_member(
        self,
        user_id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Remove a member, whose sessions end at once, or revoke an invitation."""
        return self._request(Call("DELETE", f"/api/v1/team/{segment(user_id)}"), options)


class SubAccountsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create(
        self,
        body: types.CreateSubAccount,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSubAccountAnswer:
        """Create a sub-account."""
        return self._request(Call("POST", "/api/v1/sub-accounts", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        external_id: str | None = None,
        status: Literal["active", "deactivated"] | None = None,
        q: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.CreateSubAccountAnswer]:
        """List sub-accounts, newest first.

        q: how the name or the external id begins
        """
        return Paginator(self._request, Call("GET", "/api/v1/sub-accounts", query={"limit": limit, "cursor": cursor, "externalId": external_id, "status": status, "q": q}), options)

    def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSubAccountAnswer:
        """Read a sub-account."""
        return self._request(Call("GET", f"/api/v1/sub-accounts/{segment(id)}"), options)

    def update(
        self,
        id: str,
        body: types.UpdateSubAccount,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSubAccountAnswer:
        """Change a sub-account; the status active brings a deactivated one back."""
        return self._request(Call("PATCH", f"/api/v1/sub-accounts/{segment(id)}", body=body), options)

    def deactivate(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Deactivate a sub-account: it takes no new events, and its history stays."""
        return self._request(Call("DELETE", f"/api/v1/sub-accounts/{segment(id)}"), options)

    def mint_session(
        self,
        id: str,
        body: types.MintSubAccountSession | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.SubAccountSessionMinted:
        """Make a link to the portal that opens once."""
        body = body or {}
        return self._request(Call("POST", f"/api/v1/sub-accounts/{segment(id)}/sessions", body=body), options)

    def list_sessions(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.SubAccountSessionItem]:
        """List the sessions of a sub-account, newest first."""
        return Paginator(self._request, Call("GET", f"/api/v1/sub-accounts/{segment(id)}/sessions", query={"limit": limit, "cursor": cursor}), options)

    def revoke_session(
        self,
        id: str,
        session_id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """End a session of a sub-account; in force for the next request."""
        return self._request(Call("DELETE", f"/api/v1/sub-accounts/{segment(id)}/sessions/{segment(session_id)}"), options)

    def revoke_sessions(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """End all sessions of a sub-account; in force for the next request."""
        return self._request(Call("DELETE", f"/api/v1/sub-accounts/{segment(id)}/sessions"), options)


class SubAccountSettingsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubAccountSettingsAnswer:
        """Read what holds for the portal of all sub-accounts."""
        return self._request(Call("GET", "/api/v1/sub-account-settings"), options)

    def update(
        self,
        body: types.UpdateSubAccountSettings,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubAccountSettingsAnswer:
        """Change what holds for the portal of all sub-accounts."""
        return self._request(Call("PATCH", "/api/v1/sub-account-settings", body=body), options)


class SsoResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def list_connections(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.CreateSsoConnectionAnswer]:
        """List the workspace's own identity providers, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/sso/connections", query={"limit": limit, "cursor": cursor}), options)

    def create_connection(
        self,
        body: types.CreateSsoConnection,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoConnectionAnswer:
        """Add an identity provider of the workspace; `saml` needs the feature `saml`."""
        return self._request(Call("POST", "/api/v1/sso/connections", body=body), options)

    def get_connection(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoConnectionAnswer:
        """Read one."""
        return self._request(Call("GET", f"/api/v1/sso/connections/{segment(id)}"), options)

    def update_connection(
        self,
        id: str,
        body: types.UpdateSsoConnection,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoConnectionAnswer:
        """Change one; in force at once for sign-ins that begin afterwards."""
        return self._request(Call("PATCH", f"/api/v1/sso/connections/{segment(id)}", body=body), options)

    def delete_connection(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete one; its members stay, and sign in otherwise."""
        return self._request(Call("DELETE", f"/api/v1/sso/connections/{segment(id)}"), options)

    def list_domains(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.CreateSsoDomainAnswer]:
        """List the workspace's e-mail domains, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/sso/domains", query={"limit": limit, "cursor": cursor}), options)

    def create_domain(
        self,
        body: types.CreateSsoDomain,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoDomainAnswer:
        """Claim an e-mail domain; the answer names the TXT record that proves it."""
        return self._request(Call("POST", "/api/v1/sso/domains", body=body), options)

    def verify_domain(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoDomainAnswer:
        """Look for the TXT record; the answer says whether it was found."""
        return self._request(Call("POST", f"/api/v1/sso/domains/{segment(id)}/verify"), options)

    def delete_domain(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Give a domain up: its people do not join by themselves any more."""
        return self._request(Call("DELETE", f"/api/v1/sso/domains/{segment(id)}"), options)


class ScimTokensResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.ListScimTokensAnswerDataItem]:
        """List the tokens of provisioning, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/scim-tokens", query={"limit": limit, "cursor": cursor}), options)

    def create(
        self,
        body: types.CreateScimToken,
        **options: Unpack[RequestOptions],
    ) -> types.CreateScimTokenAnswer:
        """Make a token for an identity provider; it is shown this once."""
        return self._request(Call("POST", "/api/v1/scim-tokens", body=body), options)

    def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Revoke a token; in force everywhere within 2 seconds."""
        return self._request(Call("DELETE", f"/api/v1/scim-tokens/{segment(id)}"), options)


class BillingResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def get_overview(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetBillingOverviewAnswer:
        """Read the subscription, the invoices and the plans that are offered."""
        return self._request(Call("GET", "/api/v1/billing/overview"), options)

    def list_plans(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.ListBillingPlansAnswer:
        """List the plans with their prices, limits and features."""
        return self._request(Call("GET", "/api/v1/billing/plans"), options)

    def get_subscription(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubscriptionAnswer:
        """Read the subscription; null without one."""
        return self._request(Call("GET", "/api/v1/billing/subscription"), options)

    def list_invoices(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.ListInvoicesAnswer:
        """List the last invoices, newest first."""
        return self._request(Call("GET", "/api/v1/billing/invoices"), options)

    def checkout(
        self,
        body: types.CheckOut,
        **options: Unpack[RequestOptions],
    ) -> types.CheckOutAnswer:
        """Get the address of a page at the billing provider, where the plan is paid for or, with a subscription, its change is confirmed."""
        return self._request(Call("POST", "/api/v1/billing/checkout", body=body), options)

    def preview_plan_change(
        self,
        body: types.CheckOut,
        **options: Unpack[RequestOptions],
    ) -> types.PreviewPlanChangeAnswer:
        """Tell what a change of plan would cost, without making it."""
        return self._request(Call("POST", "/api/v1/billing/preview-update", body=body), options)

    def change_plan(
        self,
        body: types.CheckOut,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubscriptionAnswer:
        """Change the plan: up at once, with proration; down at the end of the period."""
        return self._request(Call("POST", "/api/v1/billing/update", body=body), options)

    def cancel_subscription(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubscriptionAnswer:
        """Cancel the subscription at the end of its period."""
        return self._request(Call("POST", "/api/v1/billing/cancel"), options)

    def resume_subscription(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubscriptionAnswer:
        """Take back a cancellation."""
        return self._request(Call("POST", "/api/v1/billing/resume"), options)

    def drop_scheduled_change(
        self,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Remove the change of plan that waits for the end of the period."""
        return self._request(Call("DELETE", "/api/v1/billing/scheduled-change"), options)

    def open_portal(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.CheckOutAnswer:
        """Get the address of the page at the billing provider for cards, invoices and the rest."""
        return self._request(Call("POST", "/api/v1/billing/portal"), options)


class AlertingResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create_alert_rule(
        self,
        body: types.CreateAlertRule,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Create an alert rule."""
        return self._request(Call("POST", "/api/v1/alerting/rules", body=body), options)

    def list_alert_rules(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.AlertRule]:
        """List alert rules, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/alerting/rules", query={"limit": limit, "cursor": cursor}), options)

    def get_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Read an alert rule with its state."""
        return self._request(Call("GET", f"/api/v1/alerting/rules/{segment(id)}"), options)

    def update_alert_rule(
        self,
        id: str,
        body: types.UpdateAlertRule,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Change an alert rule; fields left out stay as they are, and it starts in ok."""
        return self._request(Call("PUT", f"/api/v1/alerting/rules/{segment(id)}", body=body), options)

    def delete_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete an alert rule; its history stays."""
        return self._request(Call("DELETE", f"/api/v1/alerting/rules/{segment(id)}"), options)

    def enable_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Enable an alert rule; it starts in ok."""
        return self._request(Call("POST", f"/api/v1/alerting/rules/{segment(id)}/enable"), options)

    def disable_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Disable an alert rule: it is evaluated no more."""
        return self._request(Call("POST", f"/api/v1/alerting/rules/{segment(id)}/disable"), options)

    def test_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.NotificationTested:
        """Send a sample of what an alert rule sends, at once and without retries."""
        return self._request(Call("POST", f"/api/v1/alerting/rules/{segment(id)}/test"), options)

    def evaluate_alert_rules(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.AlertsEvaluated:
        """Evaluate all enabled alert rules now, and notify as usual."""
        return self._request(Call("POST", "/api/v1/alerting/evaluate"), options)

    def list_alert_history(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        rule_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.AlertHistoryItem]:
        """What alert rules notified of, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/alerting/history", query={"limit": limit, "cursor": cursor, "ruleId": rule_id}), options)

    def preview_alert_rule(
        self,
        body: types.PreviewAlertRule,
        **options: Unpack[RequestOptions],
    ) -> types.AlertPreview:
        """When a condition would have fired over the past hours; nothing is saved or sent."""
        return self._request(Call("POST", "/api/v1/alerting/rules/preview", body=body), options)


class AlertRulesResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create_from_text(
        self,
        body: types.CreateAlertRuleFromText,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Create an alert rule from a condition as text, which notifies by a connector."""
        return self._request(Call("POST", "/api/v1/alert-rules", body=body), options)


class ConnectorsResource:
    def __init__(self, request: Request) -> None:
        self._request = request

    def create(
        self,
        body: types.CreateConnector,
        **options: Unpack[RequestOptions],
    ) -> types.Connector:
        """Create a connector."""
        return self._request(Call("POST", "/api/v1/connectors", body=body), options)

    def update(
        self,
        name: str,
        body: types.UpdateConnector,
        **options: Unpack[RequestOptions],
    ) -> types.Connector:
        """Change a connector; fields left out stay as they are, also within config."""
        return self._request(Call("PUT", f"/api/v1/connectors/{segment(name)}", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Paginator[types.Connector]:
        """List connectors, newest first."""
        return Paginator(self._request, Call("GET", "/api/v1/connectors", query={"limit": limit, "cursor": cursor}), options)

    def get(
        self,
        name: str,
        **options: Unpack[RequestOptions],
    ) -> types.Connector:
        """Read a connector; its secrets are masked."""
        return self._request(Call("GET", f"/api/v1/connectors/{segment(name)}"), options)

    def delete(
        self,
        name: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete a connector that no alert rule names."""
        return self._request(Call("DELETE", f"/api/v1/connectors/{segment(name)}"), options)

    def test(
        self,
        name: str,
        **options: Unpack[RequestOptions],
    ) -> types.NotificationTested:
        """Send a sample through a connector, at once and without retries."""
        return self._request(Call("POST", f"/api/v1/connectors/{segment(name)}/test"), options)


class Resources:
    """All resources of the API."""

    def __init__(self, request: Request) -> None:
        self.events = EventsResource(request)
        self.deliveries = DeliveriesResource(request)
        self.poll = PollResource(request)
        self.endpoints = EndpointsResource(request)
        self.egress_ips = EgressIpsResource(request)
        self.signing_secret = SigningSecretResource(request)
        self.replays = ReplaysResource(request)
        self.transformations = TransformationsResource(request)
        self.event_types = EventTypesResource(request)
        self.inbound_endpoints = InboundEndpointsResource(request)
        self.inbound_presets = InboundPresetsResource(request)
        self.api_keys = ApiKeysResource(request)
        self.projects = ProjectsResource(request)
        self.audit_logs = AuditLogsResource(request)
        self.me = MeResource(request)
        self.entitlements = EntitlementsResource(request)
        self.usage = UsageResource(request)
        self.analytics = AnalyticsResource(request)
        self.stats = StatsResource(request)
        self.metrics = MetricsResource(request)
        self.team = TeamResource(request)
        self.sub_accounts = SubAccountsResource(request)
        self.sub_account_settings = SubAccountSettingsResource(request)
        self.sso = SsoResource(request)
        self.scim_tokens = ScimTokensResource(request)
        self.billing = BillingResource(request)
        self.alerting = AlertingResource(request)
        self.alert_rules = AlertRulesResource(request)
        self.connectors = ConnectorsResource(request)


class AsyncEventsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create(
        self,
        body: types.CreateEvent,
        **options: Unpack[RequestOptions],
    ) -> types.EventCreated:
        """Accept an event, for one destination or for every endpoint subscribed to its type."""
        return await self._request(Call("POST", "/api/v1/events", body=body, has_key=True), options)

    async def create_batch(
        self,
        body: types.CreateBatch,
        **options: Unpack[RequestOptions],
    ) -> types.BatchCreated:
        """Accept up to 100 direct events, all or none."""
        return await self._request(Call("POST", "/api/v1/events/batch", body=body), options)

    async def replay_batch(
        self,
        body: types.RetryBatch,
        **options: Unpack[RequestOptions],
    ) -> types.BatchRetried:
        """Replay many events: by ids, by status, or by endpoint."""
        return await self._request(Call("POST", "/api/v1/events/batch/retry", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["queued", "delivering", "delivered", "failed", "dead"] | None = None,
        event_type: str | None = None,
        endpoint_id: str | None = None,
        destination: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.EventListItem]:
        """List events, newest first.

        destination: direct events to exactly this URL
        from_: accepted at this time or later
        to: accepted before this time
        """
        return AsyncPaginator(self._request, Call("GET", "/api/v1/events", query={"limit": limit, "cursor": cursor, "status": status, "eventType": event_type, "endpointId": endpoint_id, "destination": destination, "from": from_, "to": to}), options)

    async def get(
        self,
        event_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventDetail:
        """One event with its attempts."""
        return await self._request(Call("GET", f"/api/v1/events/{segment(event_id)}"), options)

    async def edit(
        self,
        event_id: str,
        body: types.EditEvent,
        **options: Unpack[RequestOptions],
    ) -> types.EventDetail:
        """Edit a failed or dead event, and replay it on request; as with a replay, 409 beyond 30,000 attempts, and while retention removes it."""
        return await self._request(Call("PATCH", f"/api/v1/events/{segment(event_id)}", body=body), options)

    async def replay(
        self,
        event_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventDetail:
        """Queue again the deliveries of an event that did not succeed; 409 beyond 30,000 attempts of one over all replays, and while retention removes the event."""
        return await self._request(Call("POST", f"/api/v1/events/{segment(event_id)}/replay"), options)

    async def list_deliveries(
        self,
        event_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.EventDeliveries:
        """An event's delivery attempts in the order in which they were made."""
        return await self._request(Call("GET", f"/api/v1/events/{segment(event_id)}/deliveries", query={"limit": limit, "cursor": cursor}), options)

    async def explain(
        self,
        event_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventExplanation:
        """Why an event went to which endpoints, and what its deliveries wait for."""
        return await self._request(Call("GET", f"/api/v1/events/{segment(event_id)}/explain"), options)


class AsyncDeliveriesResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def list(
        self,
        *,
        range: Literal["1h", "24h", "7d", "30d"] | None = None,
        start: str | None = None,
        end: str | None = None,
        outcome: Literal["success", "failure", "timeout"] | None = None,
        endpoint_id: str | None = None,
        event_type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.DeliveryPage:
        """List delivery attempts, newest first."""
        return await self._request(Call("GET", "/api/v1/deliveries", query={"range": range, "start": start, "end": end, "outcome": outcome, "endpoint_id": endpoint_id, "event_type": event_type, "limit": limit, "offset": offset}), options)

    async def get(
        self,
        delivery_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.AttemptDetail:
        """One delivery attempt."""
        return await self._request(Call("GET", f"/api/v1/deliveries/{segment(delivery_id)}"), options)


class AsyncPollResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def receive(
        self,
        *,
        endpoint_id: str,
        limit: int | None = None,
        timeout: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.PollEventsAnswer:
        """Fetch the oldest events of an endpoint in poll mode, or wait for some; each must be acknowledged within the visibility timeout."""
        return await self._request(Call("GET", "/api/v1/poll", query={"endpoint_id": endpoint_id, "limit": limit, "timeout": timeout}), options)

    async def ack(
        self,
        body: types.AckPolled,
        **options: Unpack[RequestOptions],
    ) -> types.AckPolledAnswer:
        """Acknowledge fetched events: they are delivered."""
        return await self._request(Call("POST", "/api/v1/poll/ack", body=body), options)


class AsyncEndpointsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create(
        self,
        body: types.CreateEndpoint,
        **options: Unpack[RequestOptions],
    ) -> types.EndpointCreated:
        """Create an endpoint."""
        return await self._request(Call("POST", "/api/v1/endpoints", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.Endpoint]:
        """List endpoints, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/endpoints", query={"limit": limit, "cursor": cursor}), options)

    async def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """One endpoint."""
        return await self._request(Call("GET", f"/api/v1/endpoints/{segment(id)}"), options)

    async def update(
        self,
        id: str,
        body: types.UpdateEndpoint,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """Change an endpoint; each change makes a numbered version."""
        return await self._request(Call("PATCH", f"/api/v1/endpoints/{segment(id)}", body=body), options)

    async def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete an endpoint; its pending deliveries become dead."""
        return await self._request(Call("DELETE", f"/api/v1/endpoints/{segment(id)}"), options)

    async def pause(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """Hold an endpoint’s deliveries."""
        return await self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/pause"), options)

    async def resume(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """End a pause, or the disabling by a 410, and release what waits in order."""
        return await self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/resume"), options)

    def list_versions(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.EndpointVersion]:
        """List the versions of an endpoint, newest first."""
        return AsyncPaginator(self._request, Call("GET", f"/api/v1/endpoints/{segment(id)}/versions", query={"limit": limit, "cursor": cursor}), options)

    async def diff_versions(
        self,
        id: str,
        *,
        v1: int,
        v2: int,
        **options: Unpack[RequestOptions],
    ) -> types.VersionDiff:
        """What differs between two versions of an endpoint."""
        return await self._request(Call("GET", f"/api/v1/endpoints/{segment(id)}/versions/diff", query={"v1": v1, "v2": v2}), options)

    async def get_version(
        self,
        id: str,
        n: int,
        **options: Unpack[RequestOptions],
    ) -> types.EndpointVersion:
        """One version of an endpoint."""
        return await self._request(Call("GET", f"/api/v1/endpoints/{segment(id)}/versions/{segment(n)}"), options)

    async def rollback(
        self,
        id: str,
        n: int,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """Set an endpoint to what a version has, as a new version; secrets stay as they are."""
        return await self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/versions/{segment(n)}/rollback"), options)

    async def rotate_secret(
        self,
        id: str,
        body: types.RotateSecret | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.EndpointRotated:
        """Give an endpoint a new secret of its own; both sign while the grace lasts."""
        body = body or {}
        return await self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/rotate-secret", body=body), options)

    async def set_mtls(
        self,
        id: str,
        body: types.SetMtls,
        **options: Unpack[RequestOptions],
    ) -> types.Endpoint:
        """Set the client certificate that deliveries present; its key is never shown."""
        return await self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/mtls", body=body), options)

    async def remove_mtls(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Present no client certificate any more."""
        return await self._request(Call("DELETE", f"/api/v1/endpoints/{segment(id)}/mtls"), options)

    async def test(
        self,
        id: str,
        body: types.TestEndpoint | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.EventSummary:
        """Send a sample event to this endpoint alone, whatever it subscribes to."""
        body = body or {}
        return await self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/test", body=body), options)

    async def replay(
        self,
        id: str,
        body: types.CreateReplay,
        **options: Unpack[RequestOptions],
    ) -> types.Replay:
        """Begin to queue again what an endpoint did not take of the events of a span of time."""
        return await self._request(Call("POST", f"/api/v1/endpoints/{segment(id)}/replay", body=body), options)


class AsyncEgressIpsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def list(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.EgressIps:
        """Addresses that deliveries come from, for allow lists."""
        return await self._request(Call("GET", "/api/v1/egress-ips"), options)


class AsyncSigningSecretResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GlobalSecret:
        """The secret of direct events and of endpoints without one of their own."""
        return await self._request(Call("GET", "/api/v1/signing-secret"), options)

    async def rotate(
        self,
        body: types.RotateSecret | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GlobalSecret:
        """Replace the global secret; both sign while the grace lasts."""
        body = body or {}
        return await self._request(Call("POST", "/api/v1/signing-secret/rotate", body=body), options)


class AsyncReplaysResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.Replay:
        """How far a bulk replay is."""
        return await self._request(Call("GET", f"/api/v1/replays/{segment(id)}"), options)


class AsyncTransformationsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def test(
        self,
        body: types.TestTransformation,
        **options: Unpack[RequestOptions],
    ) -> types.TestTransformationAnswer:
        """Run a transformation on an event of your own; nothing is sent or saved."""
        return await self._request(Call("POST", "/api/v1/transformations/test", body=body), options)


class AsyncEventTypesResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create(
        self,
        body: types.CreateEventType,
        **options: Unpack[RequestOptions],
    ) -> types.EventType:
        """Create an event type; with a schema, payloads are checked against it."""
        return await self._request(Call("POST", "/api/v1/event-types", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.EventType]:
        """List event types, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/event-types", query={"limit": limit, "cursor": cursor}), options)

    async def get_by_name(
        self,
        name: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventType:
        """One event type by its name."""
        return await self._request(Call("GET", f"/api/v1/event-types/by-name/{segment(name)}"), options)

    async def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.EventType:
        """One event type."""
        return await self._request(Call("GET", f"/api/v1/event-types/{segment(id)}"), options)

    async def update(
        self,
        id: str,
        body: types.UpdateEventType,
        **options: Unpack[RequestOptions],
    ) -> types.EventType:
        """Change an event type; fields left out stay as they are."""
        return await self._request(Call("PUT", f"/api/v1/event-types/{segment(id)}", body=body), options)

    async def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete an event type; events of that name are no longer checked."""
        return await self._request(Call("DELETE", f"/api/v1/event-types/{segment(id)}"), options)


class AsyncInboundEndpointsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create(
        self,
        body: types.CreateInboundEndpoint,
        **options: Unpack[RequestOptions],
    ) -> types.InboundEndpoint:
        """Create an inbound endpoint for a platform’s webhooks."""
        return await self._request(Call("POST", "/api/v1/inbound-endpoints", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.InboundEndpoint]:
        """List inbound endpoints, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/inbound-endpoints", query={"limit": limit, "cursor": cursor}), options)

    async def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.InboundEndpoint:
        """One inbound endpoint, with how its last requests went."""
        return await self._request(Call("GET", f"/api/v1/inbound-endpoints/{segment(id)}"), options)

    async def update(
        self,
        id: str,
        body: types.PatchInboundEndpoint,
        **options: Unpack[RequestOptions],
    ) -> types.InboundEndpoint:
        """Change an inbound endpoint."""
        return await self._request(Call("PATCH", f"/api/v1/inbound-endpoints/{segment(id)}", body=body), options)

    async def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete an inbound endpoint; its events stay."""
        return await self._request(Call("DELETE", f"/api/v1/inbound-endpoints/{segment(id)}"), options)

    async def verify(
        self,
        id: str,
        body: types.VerifyInbound,
        **options: Unpack[RequestOptions],
    ) -> types.InboundVerified:
        """Verify a request step by step, as the inbound receiver would, without making an event."""
        return await self._request(Call("POST", f"/api/v1/inbound-endpoints/{segment(id)}/verify", body=body), options)


class AsyncInboundPresetsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def list(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.InboundPresetPage:
        """All platforms, and what each is configured with."""
        return await self._request(Call("GET", "/api/v1/inbound-presets"), options)


class AsyncApiKeysResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create(
        self,
        body: types.CreateApiKey,
        **options: Unpack[RequestOptions],
    ) -> types.ApiKeyCreated:
        """Create an API key; the key itself is shown this once."""
        return await self._request(Call("POST", "/api/v1/api-keys", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.ApiKey]:
        """List API keys, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/api-keys", query={"limit": limit, "cursor": cursor}), options)

    async def revoke(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Revoke an API key; in force everywhere within 2 seconds."""
        return await self._request(Call("DELETE", f"/api/v1/api-keys/{segment(id)}"), options)


class AsyncProjectsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create(
        self,
        body: types.CreateProject,
        **options: Unpack[RequestOptions],
    ) -> types.Project:
        """Create a project."""
        return await self._request(Call("POST", "/api/v1/projects", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.Project]:
        """List projects, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/projects", query={"limit": limit, "cursor": cursor}), options)

    async def update(
        self,
        id: str,
        body: types.UpdateProject,
        **options: Unpack[RequestOptions],
    ) -> types.Project:
        """Change a project."""
        return await self._request(Call("PATCH", f"/api/v1/projects/{segment(id)}", body=body), options)

    async def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete a project without endpoints; the default one stays."""
        return await self._request(Call("DELETE", f"/api/v1/projects/{segment(id)}"), options)


class AsyncAuditLogsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        resource: str | None = None,
        action: str | None = None,
        actor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.ListAuditLogsAnswerDataItem]:
        """List who changed what, newest first.

        action: with a dot at its end: every action that begins so
        actor: the id of a user, who also acts by the keys that they made; of an API key or a sub-account; an e-mail address; or `system`
        """
        return AsyncPaginator(self._request, Call("GET", "/api/v1/audit-logs", query={"limit": limit, "cursor": cursor, "resource": resource, "action": action, "actor": actor, "from": from_, "to": to}), options)


class AsyncMeResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.Me:
        """The workspace, and who calls."""
        return await self._request(Call("GET", "/api/v1/me"), options)

    async def complete_onboarding(
        self,
        body: types.CompleteOnboarding | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.Me:
        """Note that the first steps in the workspace are done, and what it is called."""
        body = body or {}
        return await self._request(Call("POST", "/api/v1/me/onboarding-complete", body=body), options)

    async def get_security(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.SecuritySettings:
        """What the workspace asks of its members."""
        return await self._request(Call("GET", "/api/v1/me/security"), options)

    async def update_security(
        self,
        body: types.UpdateSecurity,
        **options: Unpack[RequestOptions],
    ) -> types.SecuritySettings:
        """Ask a second factor of each member; those without one may only set one up."""
        return await self._request(Call("PATCH", "/api/v1/me/security", body=body), options)


class AsyncEntitlementsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.Entitlements:
        """What the plan of the workspace allows."""
        return await self._request(Call("GET", "/api/v1/entitlements"), options)


class AsyncUsageResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get_current(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.CurrentUsage:
        """The events of this month, and what is left of its quota."""
        return await self._request(Call("GET", "/api/v1/usage/current"), options)

    async def get_history(
        self,
        *,
        months: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.UsageHistory:
        """The events and attempts of each month, newest first."""
        return await self._request(Call("GET", "/api/v1/usage/history", query={"months": months}), options)


class AsyncAnalyticsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get_summary(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsSummaryAnswer:
        """What was sent, delivered, failed and given up, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return await self._request(Call("GET", "/api/v1/analytics/summary", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    async def get_outcomes(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsOutcomesAnswer:
        """Successes, failures and timeouts, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return await self._request(Call("GET", "/api/v1/analytics/outcomes", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    async def get_throughput(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsThroughputAnswer:
        """Events per second, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return await self._request(Call("GET", "/api/v1/analytics/throughput", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    async def get_latency(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsLatencyAnswer:
        """Percentiles of the durations of attempts, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return await self._request(Call("GET", "/api/v1/analytics/latency", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    async def get_failures(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetAnalyticsFailuresAnswer:
        """Failed attempts by category, by hour or day.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return await self._request(Call("GET", "/api/v1/analytics/failures", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)

    async def get_endpoint_health(
        self,
        *,
        endpoint_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.GetEndpointHealthAnswer:
        """How endpoints are doing, worst first.

        from_: 24 hours before `to` where it is not given
        to: now where it is not given
        """
        return await self._request(Call("GET", "/api/v1/analytics/endpoint-health", query={"endpointId": endpoint_id, "from": from_, "to": to}), options)


class AsyncStatsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetStatsAnswer:
        """What waits, fails and is delivered just now."""
        return await self._request(Call("GET", "/api/v1/stats"), options)


class AsyncMetricsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get_rate_limits(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetRateLimitsAnswer:
        """How much of the rate limits of API keys and endpoints is left."""
        return await self._request(Call("GET", "/api/v1/metrics/rate-limits"), options)

    async def get_endpoint_rate_limit(
        self,
        endpoint_id: str,
        **options: Unpack[RequestOptions],
    ) -> types.GetEndpointRateLimitAnswer:
        """How much of an endpoint's rate limit is left."""
        return await self._request(Call("GET", f"/api/v1/metrics/rate-limits/endpoint/{segment(endpoint_id)}"), options)


class AsyncTeamResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.TeamMember]:
        """List members and open invitations, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/team", query={"limit": limit, "cursor": cursor}), options)

    async def invite_member(
        self,
        body: types.InviteMember,
        **options: Unpack[RequestOptions],
    ) -> types.TeamMember:
        """Invite somebody by mail; again to the same address sends a new link."""
        return await self._request(Call("POST", "/api/v1/team/invite", body=body), options)

    async def update_member(
        self,
        user_id: str,
        body: types.UpdateMember,
        **options: Unpack[RequestOptions],
    ) -> types.TeamMember:
        """Change the role of a member or of an invitation."""
        return await self._request(Call("PATCH", f"/api/v1/team/{segment(user_id)}", body=body), options)

    async def remove_member(
        self,
        user_id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Remove a member, whose sessions end at once, or revoke an invitation."""
        return await self._request(Call("DELETE", f"/api/v1/team/{segment(user_id)}"), options)


class AsyncSubAccountsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create(
        self,
        body: types.CreateSubAccount,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSubAccountAnswer:
        """Create a sub-account."""
        return await self._request(Call("POST", "/api/v1/sub-accounts", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        external_id: str | None = None,
        status: Literal["active", "deactivated"] | None = None,
        q: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.CreateSubAccountAnswer]:
        """List sub-accounts, newest first.

        q: how the name or the external id begins
        """
        return AsyncPaginator(self._request, Call("GET", "/api/v1/sub-accounts", query={"limit": limit, "cursor": cursor, "externalId": external_id, "status": status, "q": q}), options)

    async def get(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSubAccountAnswer:
        """Read a sub-account."""
        return await self._request(Call("GET", f"/api/v1/sub-accounts/{segment(id)}"), options)

    async def update(
        self,
        id: str,
        body: types.UpdateSubAccount,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSubAccountAnswer:
        """Change a sub-account; the status active brings a deactivated one back."""
        return await self._request(Call("PATCH", f"/api/v1/sub-accounts/{segment(id)}", body=body), options)

    async def deactivate(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Deactivate a sub-account: it takes no new events, and its history stays."""
        return await self._request(Call("DELETE", f"/api/v1/sub-accounts/{segment(id)}"), options)

    async def mint_session(
        self,
        id: str,
        body: types.MintSubAccountSession | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.SubAccountSessionMinted:
        """Make a link to the portal that opens once."""
        body = body or {}
        return await self._request(Call("POST", f"/api/v1/sub-accounts/{segment(id)}/sessions", body=body), options)

    def list_sessions(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.SubAccountSessionItem]:
        """List the sessions of a sub-account, newest first."""
        return AsyncPaginator(self._request, Call("GET", f"/api/v1/sub-accounts/{segment(id)}/sessions", query={"limit": limit, "cursor": cursor}), options)

    async def revoke_session(
        self,
        id: str,
        session_id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """End a session of a sub-account; in force for the next request."""
        return await self._request(Call("DELETE", f"/api/v1/sub-accounts/{segment(id)}/sessions/{segment(session_id)}"), options)

    async def revoke_sessions(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """End all sessions of a sub-account; in force for the next request."""
        return await self._request(Call("DELETE", f"/api/v1/sub-accounts/{segment(id)}/sessions"), options)


class AsyncSubAccountSettingsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubAccountSettingsAnswer:
        """Read what holds for the portal of all sub-accounts."""
        return await self._request(Call("GET", "/api/v1/sub-account-settings"), options)

    async def update(
        self,
        body: types.UpdateSubAccountSettings,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubAccountSettingsAnswer:
        """Change what holds for the portal of all sub-accounts."""
        return await self._request(Call("PATCH", "/api/v1/sub-account-settings", body=body), options)


class AsyncSsoResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list_connections(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.CreateSsoConnectionAnswer]:
        """List the workspace's own identity providers, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/sso/connections", query={"limit": limit, "cursor": cursor}), options)

    async def create_connection(
        self,
        body: types.CreateSsoConnection,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoConnectionAnswer:
        """Add an identity provider of the workspace; `saml` needs the feature `saml`."""
        return await self._request(Call("POST", "/api/v1/sso/connections", body=body), options)

    async def get_connection(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoConnectionAnswer:
        """Read one."""
        return await self._request(Call("GET", f"/api/v1/sso/connections/{segment(id)}"), options)

    async def update_connection(
        self,
        id: str,
        body: types.UpdateSsoConnection,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoConnectionAnswer:
        """Change one; in force at once for sign-ins that begin afterwards."""
        return await self._request(Call("PATCH", f"/api/v1/sso/connections/{segment(id)}", body=body), options)

    async def delete_connection(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete one; its members stay, and sign in otherwise."""
        return await self._request(Call("DELETE", f"/api/v1/sso/connections/{segment(id)}"), options)

    def list_domains(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.CreateSsoDomainAnswer]:
        """List the workspace's e-mail domains, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/sso/domains", query={"limit": limit, "cursor": cursor}), options)

    async def create_domain(
        self,
        body: types.CreateSsoDomain,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoDomainAnswer:
        """Claim an e-mail domain; the answer names the TXT record that proves it."""
        return await self._request(Call("POST", "/api/v1/sso/domains", body=body), options)

    async def verify_domain(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.CreateSsoDomainAnswer:
        """Look for the TXT record; the answer says whether it was found."""
        return await self._request(Call("POST", f"/api/v1/sso/domains/{segment(id)}/verify"), options)

    async def delete_domain(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Give a domain up: its people do not join by themselves any more."""
        return await self._request(Call("DELETE", f"/api/v1/sso/domains/{segment(id)}"), options)


class AsyncScimTokensResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.ListScimTokensAnswerDataItem]:
        """List the tokens of provisioning, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/scim-tokens", query={"limit": limit, "cursor": cursor}), options)

    async def create(
        self,
        body: types.CreateScimToken,
        **options: Unpack[RequestOptions],
    ) -> types.CreateScimTokenAnswer:
        """Make a token for an identity provider; it is shown this once."""
        return await self._request(Call("POST", "/api/v1/scim-tokens", body=body), options)

    async def delete(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Revoke a token; in force everywhere within 2 seconds."""
        return await self._request(Call("DELETE", f"/api/v1/scim-tokens/{segment(id)}"), options)


class AsyncBillingResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get_overview(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetBillingOverviewAnswer:
        """Read the subscription, the invoices and the plans that are offered."""
        return await self._request(Call("GET", "/api/v1/billing/overview"), options)

    async def list_plans(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.ListBillingPlansAnswer:
        """List the plans with their prices, limits and features."""
        return await self._request(Call("GET", "/api/v1/billing/plans"), options)

    async def get_subscription(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubscriptionAnswer:
        """Read the subscription; null without one."""
        return await self._request(Call("GET", "/api/v1/billing/subscription"), options)

    async def list_invoices(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.ListInvoicesAnswer:
        """List the last invoices, newest first."""
        return await self._request(Call("GET", "/api/v1/billing/invoices"), options)

    async def checkout(
        self,
        body: types.CheckOut,
        **options: Unpack[RequestOptions],
    ) -> types.CheckOutAnswer:
        """Get the address of a page at the billing provider, where the plan is paid for or, with a subscription, its change is confirmed."""
        return await self._request(Call("POST", "/api/v1/billing/checkout", body=body), options)

    async def preview_plan_change(
        self,
        body: types.CheckOut,
        **options: Unpack[RequestOptions],
    ) -> types.PreviewPlanChangeAnswer:
        """Tell what a change of plan would cost, without making it."""
        return await self._request(Call("POST", "/api/v1/billing/preview-update", body=body), options)

    async def change_plan(
        self,
        body: types.CheckOut,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubscriptionAnswer:
        """Change the plan: up at once, with proration; down at the end of the period."""
        return await self._request(Call("POST", "/api/v1/billing/update", body=body), options)

    async def cancel_subscription(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubscriptionAnswer:
        """Cancel the subscription at the end of its period."""
        return await self._request(Call("POST", "/api/v1/billing/cancel"), options)

    async def resume_subscription(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.GetSubscriptionAnswer:
        """Take back a cancellation."""
        return await self._request(Call("POST", "/api/v1/billing/resume"), options)

    async def drop_scheduled_change(
        self,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Remove the change of plan that waits for the end of the period."""
        return await self._request(Call("DELETE", "/api/v1/billing/scheduled-change"), options)

    async def open_portal(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.CheckOutAnswer:
        """Get the address of the page at the billing provider for cards, invoices and the rest."""
        return await self._request(Call("POST", "/api/v1/billing/portal"), options)


class AsyncAlertingResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create_alert_rule(
        self,
        body: types.CreateAlertRule,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Create an alert rule."""
        return await self._request(Call("POST", "/api/v1/alerting/rules", body=body), options)

    def list_alert_rules(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.AlertRule]:
        """List alert rules, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/alerting/rules", query={"limit": limit, "cursor": cursor}), options)

    async def get_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Read an alert rule with its state."""
        return await self._request(Call("GET", f"/api/v1/alerting/rules/{segment(id)}"), options)

    async def update_alert_rule(
        self,
        id: str,
        body: types.UpdateAlertRule,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Change an alert rule; fields left out stay as they are, and it starts in ok."""
        return await self._request(Call("PUT", f"/api/v1/alerting/rules/{segment(id)}", body=body), options)

    async def delete_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete an alert rule; its history stays."""
        return await self._request(Call("DELETE", f"/api/v1/alerting/rules/{segment(id)}"), options)

    async def enable_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Enable an alert rule; it starts in ok."""
        return await self._request(Call("POST", f"/api/v1/alerting/rules/{segment(id)}/enable"), options)

    async def disable_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Disable an alert rule: it is evaluated no more."""
        return await self._request(Call("POST", f"/api/v1/alerting/rules/{segment(id)}/disable"), options)

    async def test_alert_rule(
        self,
        id: str,
        **options: Unpack[RequestOptions],
    ) -> types.NotificationTested:
        """Send a sample of what an alert rule sends, at once and without retries."""
        return await self._request(Call("POST", f"/api/v1/alerting/rules/{segment(id)}/test"), options)

    async def evaluate_alert_rules(
        self,
        **options: Unpack[RequestOptions],
    ) -> types.AlertsEvaluated:
        """Evaluate all enabled alert rules now, and notify as usual."""
        return await self._request(Call("POST", "/api/v1/alerting/evaluate"), options)

    def list_alert_history(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        rule_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.AlertHistoryItem]:
        """What alert rules notified of, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/alerting/history", query={"limit": limit, "cursor": cursor, "ruleId": rule_id}), options)

    async def preview_alert_rule(
        self,
        body: types.PreviewAlertRule,
        **options: Unpack[RequestOptions],
    ) -> types.AlertPreview:
        """When a condition would have fired over the past hours; nothing is saved or sent."""
        return await self._request(Call("POST", "/api/v1/alerting/rules/preview", body=body), options)


class AsyncAlertRulesResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create_from_text(
        self,
        body: types.CreateAlertRuleFromText,
        **options: Unpack[RequestOptions],
    ) -> types.AlertRule:
        """Create an alert rule from a condition as text, which notifies by a connector."""
        return await self._request(Call("POST", "/api/v1/alert-rules", body=body), options)


class AsyncConnectorsResource:
    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create(
        self,
        body: types.CreateConnector,
        **options: Unpack[RequestOptions],
    ) -> types.Connector:
        """Create a connector."""
        return await self._request(Call("POST", "/api/v1/connectors", body=body), options)

    async def update(
        self,
        name: str,
        body: types.UpdateConnector,
        **options: Unpack[RequestOptions],
    ) -> types.Connector:
        """Change a connector; fields left out stay as they are, also within config."""
        return await self._request(Call("PUT", f"/api/v1/connectors/{segment(name)}", body=body), options)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPaginator[types.Connector]:
        """List connectors, newest first."""
        return AsyncPaginator(self._request, Call("GET", "/api/v1/connectors", query={"limit": limit, "cursor": cursor}), options)

    async def get(
        self,
        name: str,
        **options: Unpack[RequestOptions],
    ) -> types.Connector:
        """Read a connector; its secrets are masked."""
        return await self._request(Call("GET", f"/api/v1/connectors/{segment(name)}"), options)

    async def delete(
        self,
        name: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Delete a connector that no alert rule names."""
        return await self._request(Call("DELETE", f"/api/v1/connectors/{segment(name)}"), options)

    async def test(
        self,
        name: str,
        **options: Unpack[RequestOptions],
    ) -> types.NotificationTested:
        """Send a sample through a connector, at once and without retries."""
        return await self._request(Call("POST", f"/api/v1/connectors/{segment(name)}/test"), options)


class AsyncResources:
    """All resources of the API."""

    def __init__(self, request: AsyncRequest) -> None:
        self.events = AsyncEventsResource(request)
        self.deliveries = AsyncDeliveriesResource(request)
        self.poll = AsyncPollResource(request)
        self.endpoints = AsyncEndpointsResource(request)
        self.egress_ips = AsyncEgressIpsResource(request)
        self.signing_secret = AsyncSigningSecretResource(request)
        self.replays = AsyncReplaysResource(request)
        self.transformations = AsyncTransformationsResource(request)
        self.event_types = AsyncEventTypesResource(request)
        self.inbound_endpoints = AsyncInboundEndpointsResource(request)
        self.inbound_presets = AsyncInboundPresetsResource(request)
        self.api_keys = AsyncApiKeysResource(request)
        self.projects = AsyncProjectsResource(request)
        self.audit_logs = AsyncAuditLogsResource(request)
        self.me = AsyncMeResource(request)
        self.entitlements = AsyncEntitlementsResource(request)
        self.usage = AsyncUsageResource(request)
        self.analytics = AsyncAnalyticsResource(request)
        self.stats = AsyncStatsResource(request)
        self.metrics = AsyncMetricsResource(request)
        self.team = AsyncTeamResource(request)
        self.sub_accounts = AsyncSubAccountsResource(request)
        self.sub_account_settings = AsyncSubAccountSettingsResource(request)
        self.sso = AsyncSsoResource(request)
        self.scim_tokens = AsyncScimTokensResource(request)
        self.billing = AsyncBillingResource(request)
        self.alerting = AsyncAlertingResource(request)
        self.alert_rules = AsyncAlertRulesResource(request)
        self.connectors = AsyncConnectorsResource(request)
