/**
 * The types of our own API, made from the route catalog by `npm run api-types`. Not written by
 * hand.
 */
export interface paths {
    "/api/v1/alert-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an alert rule from a condition as text, which notifies by a connector
         * @description Needs the scope `alerts:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        post: operations["createAlertRuleFromText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate all enabled alert rules now, and notify as usual
         * @description Needs the scope `alerts:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        post: operations["evaluateAlertRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What alert rules notified of, newest first
         * @description Needs the scope `alerts:read`, or the session of a member with the role `viewer` or more. The plan must have `alerting`.
         */
        get: operations["listAlertHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alert rules, newest first
         * @description Needs the scope `alerts:read`, or the session of a member with the role `viewer` or more. The plan must have `alerting`.
         */
        get: operations["listAlertRules"];
        put?: never;
        /**
         * Create an alert rule
         * @description Needs the scope `alerts:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        post: operations["createAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an alert rule with its state
         * @description Needs the scope `alerts:read`, or the session of a member with the role `viewer` or more. The plan must have `alerting`.
         */
        get: operations["getAlertRule"];
        /**
         * Change an alert rule; fields left out stay as they are, and it starts in ok
         * @description Needs the scope `alerts:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        put: operations["updateAlertRule"];
        post?: never;
        /**
         * Delete an alert rule; its history stays
         * @description Needs the scope `alerts:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        delete: operations["deleteAlertRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/rules/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable an alert rule: it is evaluated no more
         * @description Needs the scope `alerts:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        post: operations["disableAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/rules/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable an alert rule; it starts in ok
         * @description Needs the scope `alerts:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        post: operations["enableAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/rules/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample of what an alert rule sends, at once and without retries
         * @description Needs the scope `alerts:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        post: operations["testAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * When a condition would have fired over the past hours; nothing is saved or sent
         * @description Needs the scope `alerts:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        post: operations["previewAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/endpoint-health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How endpoints are doing, worst first
         * @description Needs the scope `analytics:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getEndpointHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Failed attempts by category, by hour or day
         * @description Needs the scope `analytics:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getAnalyticsFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/latency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Percentiles of the durations of attempts, by hour or day
         * @description Needs the scope `analytics:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getAnalyticsLatency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Successes, failures and timeouts, by hour or day
         * @description Needs the scope `analytics:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getAnalyticsOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was sent, delivered, failed and given up, by hour or day
         * @description Needs the scope `analytics:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getAnalyticsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/throughput": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events per second, by hour or day
         * @description Needs the scope `analytics:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getAnalyticsThroughput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first
         * @description Needs the scope `api-keys:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; the key itself is shown this once
         * @description Needs the scope `api-keys:write`, or the session of a member with the role `admin` or more. Members must have verified their e-mail address.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key; in force everywhere within 2 seconds
         * @description Needs the scope `api-keys:write`, or the session of a member with the role `admin` or more.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what, newest first
         * @description Needs the scope `audit:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth-audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who signed in, how, and what went wrong, newest first
         * @description Needs the session of a member with the role `admin` or more; API keys are refused.
         */
        get: operations["listAuthAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the subscription at the end of its period
         * @description Needs the scope `billing:write`, or the session of a member with the role `admin` or more.
         */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the address of a page at the billing provider, where the plan is paid for or, with a subscription, its change is confirmed
         * @description Needs the scope `billing:write`, or the session of a member with the role `admin` or more.
         */
        post: operations["checkOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last invoices, newest first
         * @description Needs the scope `billing:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the subscription, the invoices and the plans that are offered
         * @description Needs the scope `billing:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getBillingOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the plans with their prices, limits and features
         * @description Needs the scope `billing:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listBillingPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the address of the page at the billing provider for cards, invoices and the rest
         * @description Needs the scope `billing:write`, or the session of a member with the role `admin` or more.
         */
        post: operations["openBillingPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/preview-update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell what a change of plan would cost, without making it
         * @description Needs the scope `billing:write`, or the session of a member with the role `admin` or more.
         */
        post: operations["previewPlanChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back a cancellation
         * @description Needs the scope `billing:write`, or the session of a member with the role `admin` or more.
         */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/scheduled-change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove the change of plan that waits for the end of the period
         * @description Needs the scope `billing:write`, or the session of a member with the role `admin` or more.
         */
        delete: operations["dropScheduledChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/stripe/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of Stripe, signed by it
         * @description Needs no credential.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the subscription; null without one
         * @description Needs the scope `billing:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the plan: up at once, with proration; down at the end of the period
         * @description Needs the scope `billing:write`, or the session of a member with the role `admin` or more.
         */
        post: operations["changePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connectors, newest first
         * @description Needs the scope `connectors:read`, or the session of a member with the role `viewer` or more. The plan must have `alerting`.
         */
        get: operations["listConnectors"];
        put?: never;
        /**
         * Create a connector
         * @description Needs the scope `connectors:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        post: operations["createConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connectors/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a connector; its secrets are masked
         * @description Needs the scope `connectors:read`, or the session of a member with the role `viewer` or more. The plan must have `alerting`.
         */
        get: operations["getConnector"];
        /**
         * Change a connector; fields left out stay as they are, also within config
         * @description Needs the scope `connectors:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        put: operations["updateConnector"];
        post?: never;
        /**
         * Delete a connector that no alert rule names
         * @description Needs the scope `connectors:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        delete: operations["deleteConnector"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connectors/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample through a connector, at once and without retries
         * @description Needs the scope `connectors:write`, or the session of a member with the role `editor` or more. The plan must have `alerting`.
         */
        post: operations["testConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List delivery attempts, newest first
         * @description Needs the scope `deliveries:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One delivery attempt
         * @description Needs the scope `deliveries:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/egress-ips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Addresses that deliveries come from, for allow lists
         * @description Needs the scope `endpoints:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listEgressIps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints, newest first
         * @description Needs the scope `endpoints:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listEndpoints"];
        put?: never;
        /**
         * Create an endpoint
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["createEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One endpoint
         * @description Needs the scope `endpoints:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint; its pending deliveries become dead
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        delete: operations["deleteEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint; each change makes a numbered version
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        patch: operations["updateEndpoint"];
        trace?: never;
    };
    "/api/v1/endpoints/{id}/mtls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the client certificate that deliveries present; its key is never shown
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["setEndpointMtls"];
        /**
         * Present no client certificate any more
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        delete: operations["removeEndpointMtls"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold an endpoint’s deliveries
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["pauseEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to queue again what an endpoint did not take of the events of a span of time
         * @description Needs the scope `events:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["replayEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a pause, or the disabling by a 410, and release what waits in order
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["resumeEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an endpoint a new secret of its own; both sign while the grace lasts
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["rotateEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event to this endpoint alone, whatever it subscribes to
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["testEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of an endpoint, newest first
         * @description Needs the scope `endpoints:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listEndpointVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}/versions/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One version of an endpoint
         * @description Needs the scope `endpoints:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getEndpointVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}/versions/{n}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set an endpoint to what a version has, as a new version; secrets stay as they are
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["rollbackEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/endpoints/{id}/versions/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What differs between two versions of an endpoint
         * @description Needs the scope `endpoints:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["diffEndpointVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/entitlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the plan of the workspace allows
         * @description Needs the scope `account:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getEntitlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types, newest first
         * @description Needs the scope `event-types:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listEventTypes"];
        put?: never;
        /**
         * Create an event type; with a schema, payloads are checked against it
         * @description Needs the scope `event-types:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["createEventType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-types/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One event type
         * @description Needs the scope `event-types:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getEventType"];
        /**
         * Change an event type; fields left out stay as they are
         * @description Needs the scope `event-types:write`, or the session of a member with the role `editor` or more.
         */
        put: operations["updateEventType"];
        post?: never;
        /**
         * Delete an event type; events of that name are no longer checked
         * @description Needs the scope `event-types:write`, or the session of a member with the role `editor` or more.
         */
        delete: operations["deleteEventType"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-types/by-name/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One event type by its name
         * @description Needs the scope `event-types:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getEventTypeByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, newest first
         * @description Needs the scope `events:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Accept an event, for one destination or for every endpoint subscribed to its type
         * @description Needs the scope `events:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["createEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One event with its attempts
         * @description Needs the scope `events:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit a failed or dead event, and replay it on request; as with a replay, 409 beyond 30,000 attempts, and while retention removes it
         * @description Needs the scope `events:write`, or the session of a member with the role `editor` or more.
         */
        patch: operations["editEvent"];
        trace?: never;
    };
    "/api/v1/events/{eventId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An event's delivery attempts in the order in which they were made
         * @description Needs the scope `deliveries:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listEventDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{eventId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why an event went to which endpoints, and what its deliveries wait for
         * @description Needs the scope `events:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["explainEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{eventId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue again the deliveries of an event that did not succeed; 409 beyond 30,000 attempts of one over all replays, and while retention removes the event
         * @description Needs the scope `events:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["replayEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept up to 100 direct events, all or none
         * @description Needs the scope `events:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/batch/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay many events: by ids, by status, or by endpoint
         * @description Needs the scope `events:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["retryBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gdpr/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete the workspace with all that it has, for good
         * @description Needs the session of a member with the role `admin` or more; API keys are refused. The plan must have `gdpr`.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gdpr/data-erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase what refers to a person, by their e-mail address
         * @description Needs the session of a member with the role `admin` or more; API keys are refused. The plan must have `gdpr`.
         */
        post: operations["eraseSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gdpr/data-export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export what refers to a person, by their e-mail address
         * @description Needs the session of a member with the role `admin` or more; API keys are refused. The plan must have `gdpr`.
         */
        post: operations["exportSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gdpr/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the whole workspace as one JSON document, without secrets
         * @description Needs the session of a member with the role `admin` or more; API keys are refused. The plan must have `gdpr`.
         */
        get: operations["exportWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gdpr/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs for data subjects, newest first
         * @description Needs the session of a member with the role `admin` or more; API keys are refused. The plan must have `gdpr`.
         */
        get: operations["listSubjectJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gdpr/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a job for a data subject
         * @description Needs the session of a member with the role `admin` or more; API keys are refused. The plan must have `gdpr`.
         */
        get: operations["getSubjectJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gdpr/jobs/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download what an export has found, for 30 days
         * @description Needs the session of a member with the role `admin` or more; API keys are refused. The plan must have `gdpr`.
         */
        get: operations["downloadSubjectExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbound-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List inbound endpoints, newest first
         * @description Needs the scope `inbound:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listInboundEndpoints"];
        put?: never;
        /**
         * Create an inbound endpoint for a platform’s webhooks
         * @description Needs the scope `inbound:write`, or the session of a member with the role `editor` or more. The plan must have `inbound`.
         */
        post: operations["createInboundEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbound-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One inbound endpoint, with how its last requests went
         * @description Needs the scope `inbound:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getInboundEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an inbound endpoint; its events stay
         * @description Needs the scope `inbound:write`, or the session of a member with the role `editor` or more.
         */
        delete: operations["deleteInboundEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an inbound endpoint
         * @description Needs the scope `inbound:write`, or the session of a member with the role `editor` or more. The plan must have `inbound`.
         */
        patch: operations["updateInboundEndpoint"];
        trace?: never;
    };
    "/api/v1/inbound-endpoints/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a request step by step, as the inbound receiver would, without making an event
         * @description Needs the scope `inbound:write`, or the session of a member with the role `editor` or more. The plan must have `inbound`.
         */
        post: operations["verifyInbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbound-presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All platforms, and what each is configured with
         * @description Needs the scope `inbound:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listInboundPresets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The workspace, and who calls
         * @description Needs the scope `account:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/onboarding-complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Note that the first steps in the workspace are done, and what it is called
         * @description Needs the scope `account:write`, or the session of a member with the role `admin` or more.
         */
        post: operations["completeOnboarding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read for how many days what is kept
         * @description Needs the session of a member with the role `viewer` or more; API keys are refused.
         */
        get: operations["getRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change for how many days what is kept
         * @description Needs the session of a member with the role `admin` or more; API keys are refused.
         */
        patch: operations["updateRetention"];
        trace?: never;
    };
    "/api/v1/me/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the workspace asks of its members
         * @description Needs the scope `account:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getSecurity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Ask a second factor of each member; those without one may only set one up
         * @description Needs the scope `account:write`, or the session of a member with the role `admin` or more.
         */
        patch: operations["updateSecurity"];
        trace?: never;
    };
    "/api/v1/metrics/rate-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How much of the rate limits of API keys and endpoints is left
         * @description Needs the scope `analytics:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getRateLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metrics/rate-limits/endpoint/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How much of an endpoint's rate limit is left
         * @description Needs the scope `analytics:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getEndpointRateLimit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch the oldest events of an endpoint in poll mode, or wait for some; each must be acknowledged within the visibility timeout
         * @description Needs the scope `deliveries:write`, or the session of a member with the role `editor` or more.
         */
        get: operations["pollEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/poll/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge fetched events: they are delivered
         * @description Needs the scope `deliveries:write`, or the session of a member with the role `editor` or more.
         */
        post: operations["ackPolled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects, newest first
         * @description Needs the scope `projects:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Needs the scope `projects:write`, or the session of a member with the role `admin` or more.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a project without endpoints; the default one stays
         * @description Needs the scope `projects:write`, or the session of a member with the role `admin` or more.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description Needs the scope `projects:write`, or the session of a member with the role `admin` or more.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/api/v1/replays/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far a bulk replay is
         * @description Needs the scope `events:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scim-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens of provisioning, newest first
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `scim`.
         */
        get: operations["listScimTokens"];
        put?: never;
        /**
         * Make a token for an identity provider; it is shown this once
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `scim`. Members must have verified their e-mail address.
         */
        post: operations["createScimToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scim-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token; in force everywhere within 2 seconds
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `scim`. Members must have verified their e-mail address.
         */
        delete: operations["deleteScimToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signing-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The secret of direct events and of endpoints without one of their own
         * @description Needs the scope `account:write`, or the session of a member with the role `admin` or more.
         */
        get: operations["getSigningSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signing-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the global secret; both sign while the grace lasts
         * @description Needs the scope `account:write`, or the session of a member with the role `admin` or more.
         */
        post: operations["rotateSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sso/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspace's own identity providers, newest first
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `sso`.
         */
        get: operations["listSsoConnections"];
        put?: never;
        /**
         * Add an identity provider of the workspace; `saml` needs the feature `saml`
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `sso`. Members must have verified their e-mail address.
         */
        post: operations["createSsoConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sso/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `sso`.
         */
        get: operations["getSsoConnection"];
        put?: never;
        post?: never;
        /**
         * Delete one; its members stay, and sign in otherwise
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `sso`. Members must have verified their e-mail address.
         */
        delete: operations["deleteSsoConnection"];
        options?: never;
        head?: never;
        /**
         * Change one; in force at once for sign-ins that begin afterwards
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `sso`. Members must have verified their e-mail address.
         */
        patch: operations["updateSsoConnection"];
        trace?: never;
    };
    "/api/v1/sso/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspace's e-mail domains, newest first
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `sso`.
         */
        get: operations["listSsoDomains"];
        put?: never;
        /**
         * Claim an e-mail domain; the answer names the TXT record that proves it
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `sso`. Members must have verified their e-mail address.
         */
        post: operations["createSsoDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sso/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Give a domain up: its people do not join by themselves any more
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `sso`. Members must have verified their e-mail address.
         */
        delete: operations["deleteSsoDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sso/domains/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look for the TXT record; the answer says whether it was found
         * @description Needs the scope `*`, or the session of a member with the role `admin` or more. The plan must have `sso`. Members must have verified their e-mail address.
         */
        post: operations["verifySsoDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What waits, fails and is delivered just now
         * @description Needs the scope `analytics:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sub-account-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what holds for the portal of all sub-accounts
         * @description Needs the scope `sub-accounts:read`, or the session of a member with the role `viewer` or more. The plan must have `sub_accounts`.
         */
        get: operations["getSubAccountSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what holds for the portal of all sub-accounts
         * @description Needs the scope `sub-accounts:write`, or the session of a member with the role `admin` or more. The plan must have `sub_accounts`.
         */
        patch: operations["updateSubAccountSettings"];
        trace?: never;
    };
    "/api/v1/sub-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sub-accounts, newest first
         * @description Needs the scope `sub-accounts:read`, or the session of a member with the role `viewer` or more. The plan must have `sub_accounts`.
         */
        get: operations["listSubAccounts"];
        put?: never;
        /**
         * Create a sub-account
         * @description Needs the scope `sub-accounts:write`, or the session of a member with the role `admin` or more. The plan must have `sub_accounts`.
         */
        post: operations["createSubAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sub-accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sub-account
         * @description Needs the scope `sub-accounts:read`, or the session of a member with the role `viewer` or more. The plan must have `sub_accounts`.
         */
        get: operations["getSubAccount"];
        put?: never;
        post?: never;
        /**
         * Deactivate a sub-account: it takes no new events, and its history stays
         * @description Needs the scope `sub-accounts:write`, or the session of a member with the role `admin` or more. The plan must have `sub_accounts`.
         */
        delete: operations["deactivateSubAccount"];
        options?: never;
        head?: never;
        /**
         * Change a sub-account; the status active brings a deactivated one back
         * @description Needs the scope `sub-accounts:write`, or the session of a member with the role `admin` or more. The plan must have `sub_accounts`.
         */
        patch: operations["updateSubAccount"];
        trace?: never;
    };
    "/api/v1/sub-accounts/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of a sub-account, newest first
         * @description Needs the scope `sub-accounts:read`, or the session of a member with the role `viewer` or more. The plan must have `sub_accounts`.
         */
        get: operations["listSubAccountSessions"];
        put?: never;
        /**
         * Make a link to the portal that opens once
         * @description Needs the scope `sub-accounts:write`, or the session of a member with the role `admin` or more. The plan must have `sub_accounts`.
         */
        post: operations["mintSubAccountSession"];
        /**
         * End all sessions of a sub-account; in force for the next request
         * @description Needs the scope `sub-accounts:write`, or the session of a member with the role `admin` or more. The plan must have `sub_accounts`.
         */
        delete: operations["revokeSubAccountSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sub-accounts/{id}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of a sub-account; in force for the next request
         * @description Needs the scope `sub-accounts:write`, or the session of a member with the role `admin` or more. The plan must have `sub_accounts`.
         */
        delete: operations["revokeSubAccountSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members and open invitations, newest first
         * @description Needs the scope `team:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["listTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member, whose sessions end at once, or revoke an invitation
         * @description Needs the scope `team:write`, or the session of a member with the role `admin` or more.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member or of an invitation
         * @description Needs the scope `team:write`, or the session of a member with the role `admin` or more.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/v1/team/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite somebody by mail; again to the same address sends a new link
         * @description Needs the scope `team:write`, or the session of a member with the role `admin` or more. Members must have verified their e-mail address.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transformations/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a transformation on an event of your own; nothing is sent or saved
         * @description Needs the scope `endpoints:write`, or the session of a member with the role `editor` or more. The plan must have `transformations`.
         */
        post: operations["testTransformation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of this month, and what is left of its quota
         * @description Needs the scope `account:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getCurrentUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events and attempts of each month, newest first
         * @description Needs the scope `account:read`, or the session of a member with the role `viewer` or more.
         */
        get: operations["getUsageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/accept-invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join a workspace with the token of an invitation, and sign in to it
         * @description Needs no credential.
         */
        post: operations["acceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change one's password; one's other sessions end
         * @description Needs a session: sign in first.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a mail with which the password can be set anew, where somebody has the address
         * @description Needs no credential.
         */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invite-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an invitation is about
         * @description Needs no credential.
         */
        get: operations["inviteStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a password; the answer sets a cookie
         * @description Needs no credential.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one's name
         * @description Needs a session: sign in first.
         */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/auth/mfa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Ask for no second factor any more
         * @description Needs a session of a person: sign in first.
         */
        delete: operations["disableMfa"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mfa/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a second factor from now on; the answer has recovery codes
         * @description Needs a session of a person: sign in first.
         */
        post: operations["activateMfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mfa/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a new secret for an authenticator app; it counts once it is activated
         * @description Needs a session of a person: sign in first.
         */
        post: operations["enrollMfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mfa/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what a browser needs to end a login with a passkey as its second factor
         * @description Needs no credential.
         */
        post: operations["mfaPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mfa/passkey/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a login that waits for its second factor, by a passkey
         * @description Needs no credential.
         */
        post: operations["mfaPasskeyVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mfa/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make new recovery codes; those of before are void
         * @description Needs a session of a person: sign in first.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mfa/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a login that waits for its second factor, by a code or a recovery code
         * @description Needs no credential.
         */
        post: operations["verifyMfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one's passkeys, newest first
         * @description Needs a session of a person: sign in first.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add the passkey that a browser has made
         * @description Needs a session of a person: sign in first.
         */
        post: operations["registerPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove one of one's passkeys
         * @description Needs a session of a person: sign in first.
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey; no password and no second factor is asked for
         * @description Needs no credential.
         */
        post: operations["passkeyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/login/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what a browser needs to sign in with a passkey
         * @description Needs no credential.
         */
        post: operations["passkeyLoginOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what a browser needs to make a passkey
         * @description Needs a session of a person: sign in first.
         */
        post: operations["passkeyCreationOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The identity providers that everybody may sign in with
         * @description Needs no credential.
         */
        get: operations["listSsoProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the mail that proves an address again, where it is not proved
         * @description Needs no credential.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the token of a mail; all sessions of the person end
         * @description Needs no credential.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in, and where
         * @description Needs a session: sign in first.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Make a session from an API key; it has the scopes of the key and ends with it
         * @description Needs no credential.
         */
        post: operations["createSession"];
        /**
         * Sign out
         * @description Needs a session: sign in first.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a session from the one-time link that a start of the service prints
         * @description Needs no credential.
         */
        post: operations["createSessionFromLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on in another of one's workspaces, with a new session
         * @description Needs a session: sign in first.
         */
        post: operations["switchSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one's own sessions, newest first
         * @description Needs a session: sign in first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of one's own sessions
         * @description Needs a session: sign in first.
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a workspace and its first admin; the same answer for an address that has one
         * @description Needs no credential.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the provider sends the browser back to
         * @description Needs no credential.
         */
        get: operations["finishSsoLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/{provider}/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in with a provider, or by a workspace's connection, by its id
         * @description Needs no credential.
         */
        get: operations["startSsoLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How people of an e-mail domain sign in; whether the address is known changes nothing
         * @description Needs no credential.
         */
        get: operations["discoverSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/saml/{clientID}/{slug}/acs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Where the identity provider's page sends the browser back to
         * @description Needs no credential.
         */
        post: operations["finishSamlLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/saml/{clientID}/{slug}/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in with a workspace's identity provider by SAML
         * @description Needs no credential.
         */
        get: operations["startSamlLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/saml/{clientID}/{slug}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an identity provider needs to know of us
         * @description Needs no credential.
         */
        get: operations["getSamlMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove an e-mail address with the token of the mail that was sent there
         * @description Needs no credential.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbound/{pathSuffix}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A platform’s handshake
         * @description Public: the platform authenticates by its signature, as the source’s preset describes.
         */
        get: operations["answerHandshake"];
        put?: never;
        /**
         * A platform’s webhook
         * @description Public: the platform authenticates by its signature, as the source’s preset describes.
         */
        post: operations["receiveInbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The page of the portal; to read it takes no token
         * @description Needs no credential.
         */
        get: operations["getPortalPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List members, with the query in the body
         * @description Needs a workspace's SCIM token.
         */
        post: operations["searchScimUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * There are no groups: an empty list
         * @description Needs a workspace's SCIM token.
         */
        get: operations["listScimGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/ResourceTypes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The types of resources
         * @description Needs a workspace's SCIM token.
         */
        get: operations["listScimResourceTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/ResourceTypes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One type of resources
         * @description Needs a workspace's SCIM token.
         */
        get: operations["getScimResourceType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The attributes that are kept
         * @description Needs a workspace's SCIM token.
         */
        get: operations["listScimSchemas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Schemas/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The attributes of one schema
         * @description Needs a workspace's SCIM token.
         */
        get: operations["getScimSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/ServiceProviderConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What of SCIM is served
         * @description Needs a workspace's SCIM token.
         */
        get: operations["getScimConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspace's members
         * @description Needs a workspace's SCIM token.
         */
        get: operations["listScimUsers"];
        put?: never;
        /**
         * Make somebody a member
         * @description Needs a workspace's SCIM token.
         */
        post: operations["createScimUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a member
         * @description Needs a workspace's SCIM token.
         */
        get: operations["getScimUser"];
        /**
         * Replace what is kept of a member
         * @description Needs a workspace's SCIM token.
         */
        put: operations["replaceScimUser"];
        post?: never;
        /**
         * Remove a member
         * @description Needs a workspace's SCIM token.
         */
        delete: operations["deleteScimUser"];
        options?: never;
        head?: never;
        /**
         * Change a member; with `active` false their sessions and keys end at once
         * @description Needs a workspace's SCIM token.
         */
        patch: operations["patchScimUser"];
        trace?: never;
    };
    "/sub-account-api/analytics/latency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Percentiles of the durations of attempts, by hour or day
         * @description Needs a sub-account's session in the portal with the capability `deliveries:read`.
         */
        get: operations["getSubAccountLatency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/analytics/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Successes, failures and timeouts, by hour or day
         * @description Needs a sub-account's session in the portal with the capability `deliveries:read`.
         */
        get: operations["getSubAccountOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/analytics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was sent, delivered, failed and given up, by hour or day
         * @description Needs a sub-account's session in the portal with the capability `deliveries:read`.
         */
        get: operations["getSubAccountSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/auth/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the token of a link to the portal, once; the answer sets the session’s cookie
         * @description Needs no credential.
         */
        post: operations["exchangeSubAccountToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints, newest first
         * @description Needs a sub-account's session in the portal with the capability `endpoints:read`.
         */
        get: operations["listSubAccountEndpoints"];
        put?: never;
        /**
         * Create an endpoint
         * @description Needs a sub-account's session in the portal with the capability `endpoints:write`.
         */
        post: operations["createSubAccountEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One endpoint
         * @description Needs a sub-account's session in the portal with the capability `endpoints:read`.
         */
        get: operations["getSubAccountEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint; its pending deliveries become dead
         * @description Needs a sub-account's session in the portal with the capability `endpoints:write`.
         */
        delete: operations["deleteSubAccountEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint; each change makes a numbered version
         * @description Needs a sub-account's session in the portal with the capability `endpoints:write`.
         */
        patch: operations["updateSubAccountEndpoint"];
        trace?: never;
    };
    "/sub-account-api/endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an endpoint’s delivery attempts, newest first
         * @description Needs a sub-account's session in the portal with the capability `deliveries:read`.
         */
        get: operations["listSubAccountEndpointDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/endpoints/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold an endpoint’s deliveries
         * @description Needs a sub-account's session in the portal with the capability `endpoints:write`.
         */
        post: operations["pauseSubAccountEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to queue again what an endpoint did not take of the events of a span of time
         * @description Needs a sub-account's session in the portal with the capability `events:retry`.
         */
        post: operations["replaySubAccountEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/endpoints/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a pause, or the disabling by a 410, and release what waits in order
         * @description Needs a sub-account's session in the portal with the capability `endpoints:write`.
         */
        post: operations["resumeSubAccountEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an endpoint a new secret of its own; both sign while the grace lasts
         * @description Needs a sub-account's session in the portal with the capability `endpoints:write`.
         */
        post: operations["rotateSubAccountEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event to this endpoint alone, whatever it subscribes to
         * @description Needs a sub-account's session in the portal with the capability `endpoints:write`.
         */
        post: operations["testSubAccountEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types that endpoints can subscribe to, newest first
         * @description Needs a sub-account's session in the portal with the capability `endpoints:read`.
         */
        get: operations["listSubAccountEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, newest first
         * @description Needs a sub-account's session in the portal with the capability `events:read`.
         */
        get: operations["listSubAccountEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One event with its attempts
         * @description Needs a sub-account's session in the portal with the capability `events:read`.
         */
        get: operations["getSubAccountEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/events/{eventId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An event's delivery attempts in the order in which they were made
         * @description Needs a sub-account's session in the portal with the capability `deliveries:read`.
         */
        get: operations["listSubAccountEventDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/events/{eventId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why an event went to which endpoints, and what its deliveries wait for
         * @description Needs a sub-account's session in the portal with the capability `events:read`.
         */
        get: operations["explainSubAccountEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/events/{eventId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue again the deliveries of an event that did not succeed
         * @description Needs a sub-account's session in the portal with the capability `events:retry`.
         */
        post: operations["retrySubAccountEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/replays/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far a bulk replay is
         * @description Needs a sub-account's session in the portal with the capability `events:read`.
         */
        get: operations["getSubAccountReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sub-account-api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The session of the portal
         * @description Needs a sub-account's session in the portal.
         */
        get: operations["getPortalSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptInvite: {
            name?: string;
            /** @description for a new account 10 to 128 characters; for an existing one its own, unless it is signed in */
            password?: string;
            token: string;
        };
        AckPolled: {
            endpoint_id: string;
            event_ids: string[];
        };
        AckPolledAnswer: {
            acknowledged: string[];
            /** @description no event of that id waits at the endpoint: unknown, or dead by now */
            notFound: string[];
        };
        AlertHistoryItem: {
            /** Format: date-time */
            at: string;
            attempts: number;
            /** @enum {string} */
            delivery: "pending" | "sent" | "failed";
            error: string | null;
            id: string;
            ruleId: string;
            ruleName: string;
            /** @enum {string} */
            status: "firing" | "resolved";
            threshold: number;
            value: number | null;
        };
        AlertHistoryPage: {
            data: components["schemas"]["AlertHistoryItem"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        AlertPreview: {
            firings: {
                /** Format: date-time */
                from: string;
                peak: number;
                /** Format: date-time */
                to: string;
            }[];
        };
        AlertRule: {
            action: ({
                channel: string | null;
                message: string | null;
                /** @constant */
                type: "slack";
                webhookUrl: string;
            } | {
                message: string | null;
                subject: string | null;
                to: string[];
                /** @constant */
                type: "email";
            } | {
                headers: {
                    [key: string]: string;
                } | null;
                message: string | null;
                /** @constant */
                type: "webhook";
                webhookUrl: string;
            } | {
                message: string | null;
                routingKey: string;
                severity: ("critical" | "error" | "warning" | "info") | null;
                /** @constant */
                type: "pagerduty";
            }) | null;
            condition: {
                /** @enum {string} */
                metric: "failure_rate" | "success_rate" | "latency" | "queue_depth" | "error_count" | "delivery_count";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne";
                value: number;
                window: string;
            };
            /** @description the condition as `POST /api/v1/alert-rules` takes it */
            conditionText: string;
            connectorName: string | null;
            cooldown: string;
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            enabled: boolean;
            /** @description the only endpoint that counts; null: all of them */
            endpointId: string | null;
            id: string;
            lastEvaluatedAt: string | null;
            lastValue: number | null;
            name: string;
            /** @enum {string} */
            state: "ok" | "firing";
            /** Format: date-time */
            stateSince: string;
            /** Format: date-time */
            updatedAt: string;
        };
        AlertRulePage: {
            data: components["schemas"]["AlertRule"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        AlertsEvaluated: {
            evaluated: number;
            firing: number;
            results: {
                matched: boolean;
                ruleId: string;
                /** @enum {string} */
                state: "ok" | "firing";
                /** @description null: there is no data in the window */
                value: number | null;
            }[];
        };
        ApiKey: {
            createdAt: string;
            expiresAt: string | null;
            id: string;
            /** @description false once revoked or expired */
            isActive: boolean;
            keyPrefix: string;
            name: string;
            /** @description set: the key is bound to this project */
            projectId: string | null;
            /** @description requests a second; null: none */
            rateLimit: number | null;
            scopes: string[];
        };
        ApiKeyCreated: {
            createdAt: string;
            expiresAt: string | null;
            id: string;
            /** @description false once revoked or expired */
            isActive: boolean;
            /** @description shown this once */
            key: string;
            keyPrefix: string;
            name: string;
            /** @description set: the key is bound to this project */
            projectId: string | null;
            /** @description requests a second; null: none */
            rateLimit: number | null;
            scopes: string[];
        };
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        AssertPasskey: {
            /** @description an AuthenticationResponseJSON; further members are ignored */
            response: {
                id: string;
                rawId: string;
                response: {
                    authenticatorData: string;
                    clientDataJSON: string;
                    signature: string;
                    userHandle?: string | null;
                };
                /** @constant */
                type: "public-key";
            };
        };
        Attempt: {
            attemptedAt: string;
            attemptNumber: number;
            deliveryId: string;
            durationMs: number;
            endpointId: string | null;
            endpointVersion: number | null;
            /** @description "" on success, else "<category>: <detail>" */
            error: string;
            eventId: string;
            eventType: string | null;
            id: string;
            nextAttemptAt: string | null;
            processingOverheadUs: number;
            /** @description null when it is the event's payload */
            requestBody: string | null;
            responseBody: string;
            responseHeaders: {
                [key: string]: string;
            } | null;
            /** @description 0 when no response came */
            statusCode: number;
            url: string;
        };
        AttemptDetail: {
            attemptedAt: string;
            attemptNumber: number;
            deliveryId: string;
            durationMs: number;
            endpointId: string | null;
            endpointVersion: number | null;
            /** @description "" on success, else "<category>: <detail>" */
            error: string;
            eventId: string;
            eventType: string | null;
            id: string;
            nextAttemptAt: string | null;
            processingOverheadUs: number;
            /** @description null when it is the event's payload */
            requestBody: string | null;
            requestHeaders: {
                [key: string]: string;
            };
            responseBody: string;
            responseHeaders: {
                [key: string]: string;
            } | null;
            /** @description 0 when no response came */
            statusCode: number;
            url: string;
        };
        AuthUser: {
            email: string;
            emailVerified: boolean;
            id: string;
            /** @description a second factor is asked for after the password */
            mfaEnabled: boolean;
            name: string | null;
        };
        BatchCreated: {
            count: number;
            events: {
                createdAt: string;
                id: string;
                /** @enum {string} */
                status: "queued" | "delivering" | "delivered" | "failed" | "dead";
            }[];
        };
        BatchRetried: {
            eventIds: string[];
            retried: number;
            skipped: number;
        };
        ChangePassword: {
            currentPassword: string;
            newPassword: string;
        };
        CheckOut: {
            /**
             * @default monthly
             * @enum {string}
             */
            cycle: "monthly" | "annual";
            /** @enum {string} */
            planId: "free" | "starter" | "growth" | "scale" | "self_hosted";
        };
        CheckOutAnswer: {
            url: string;
        };
        CompleteOnboarding: {
            companyName?: string;
        };
        Connector: {
            /** @description secrets are masked */
            config: {
                [key: string]: unknown;
            };
            createdAt: string;
            eventTypes: string[];
            id: string;
            name: string;
            template: {
                color: string | null;
                text: string | null;
                title: string | null;
            } | null;
            /** @enum {string} */
            type: "slack" | "discord" | "teams" | "email" | "webhook";
            updatedAt: string;
        };
        ConnectorPage: {
            data: components["schemas"]["Connector"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        CreateAlertRule: {
            action?: ({
                channel?: string | null;
                message?: string | null;
                /** @constant */
                type: "slack";
                /** Format: uri */
                webhookUrl: string;
            } | {
                message?: string | null;
                subject?: string | null;
                to: string[];
                /** @constant */
                type: "email";
            } | {
                headers?: {
                    [key: string]: string;
                } | null;
                message?: string | null;
                /** @constant */
                type: "webhook";
                /** Format: uri */
                webhookUrl: string;
            } | {
                message?: string | null;
                routingKey: string;
                severity?: ("critical" | "error" | "warning" | "info") | null;
                /** @constant */
                type: "pagerduty";
            }) | null;
            condition: {
                /** @enum {string} */
                metric: "failure_rate" | "success_rate" | "latency" | "queue_depth" | "error_count" | "delivery_count";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne";
                value: number;
                /**
                 * @description a duration as Go writes it, from 1m to 720h
                 * @default 5m
                 */
                window: string;
            };
            connectorName?: string | null;
            /** @description a duration as Go writes it, from 1m to 720h */
            cooldown?: string;
            description?: string | null;
            enabled?: boolean;
            endpointId?: string | null;
            name: string;
        } & ({
            action: Record<string, never>;
            connectorName?: null;
        } | {
            action?: null;
            connectorName: string;
        });
        CreateAlertRuleFromText: {
            condition: string;
            connectorName: string;
            /** @description a duration as Go writes it, from 1m to 720h */
            cooldown?: string;
            description?: string | null;
            enabled?: boolean;
            endpointId?: string | null;
            name: string;
        };
        CreateApiKey: {
            expiresAt?: string | null;
            name: string;
            rateLimit?: number | null;
            scopes: ("*" | "events:read" | "events:write" | "deliveries:read" | "deliveries:write" | "endpoints:read" | "endpoints:write" | "event-types:read" | "event-types:write" | "inbound:read" | "inbound:write" | "alerts:read" | "alerts:write" | "connectors:read" | "connectors:write" | "analytics:read" | "analytics:write" | "api-keys:read" | "api-keys:write" | "team:read" | "team:write" | "projects:read" | "projects:write" | "sub-accounts:read" | "sub-accounts:write" | "audit:read" | "audit:write" | "billing:read" | "billing:write" | "account:read" | "account:write")[];
        };
        CreateBatch: {
            events: {
                /** Format: uri */
                destination: string;
                headers?: {
                    [key: string]: string;
                };
                idempotencyKey: string & (unknown & unknown);
                maxAttempts?: number;
                payload: {
                    [key: string]: unknown;
                };
                /** @constant */
                priority?: 5;
            }[];
        };
        CreateConnector: {
            config: {
                channel?: string | null;
                iconEmoji?: string | null;
                username?: string | null;
                /** Format: uri */
                webhookUrl: string;
            };
            eventTypes?: string[];
            name: string;
            template?: {
                color?: string;
                text?: string;
                title?: string;
            } | null;
            /** @constant */
            type: "slack";
        } | {
            config: {
                username?: string | null;
                /** Format: uri */
                webhookUrl: string;
            };
            eventTypes?: string[];
            name: string;
            template?: {
                color?: string;
                text?: string;
                title?: string;
            } | null;
            /** @constant */
            type: "discord";
        } | {
            config: {
                /** Format: uri */
                webhookUrl: string;
            };
            eventTypes?: string[];
            name: string;
            template?: {
                color?: string;
                text?: string;
                title?: string;
            } | null;
            /** @constant */
            type: "teams";
        } | {
            config: {
                /** Format: email */
                fromEmail: string;
                smtpHost: string;
                smtpPassword?: string | null;
                smtpPort?: number | null;
                smtpUsername?: string | null;
                to: string[];
            };
            eventTypes?: string[];
            name: string;
            template?: {
                color?: string;
                text?: string;
                title?: string;
            } | null;
            /** @constant */
            type: "email";
        } | {
            config: {
                headers?: {
                    [key: string]: string;
                } | null;
                secret?: string | null;
                /** Format: uri */
                url: string;
            };
            eventTypes?: string[];
            name: string;
            template?: {
                color?: string;
                text?: string;
                title?: string;
            } | null;
            /** @constant */
            type: "webhook";
        };
        CreateEndpoint: {
            allowedCidrs?: string[] | null;
            allowedCIDRs?: string[] | null;
            blockedCidrs?: string[] | null;
            blockedCIDRs?: string[] | null;
            circuitResetMs?: number;
            circuitThreshold?: number;
            customHeaders?: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode?: "push" | "poll" | "storage";
            description?: string | null;
            eventTypes: string[];
            fifo?: boolean;
            fifoPartitionKey?: string | null;
            filter?: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            maxRetries?: number;
            mtlsCert?: string | null;
            mtlsKey?: string | null;
            rateLimitPerSec?: number;
            retryBackoffMax?: number;
            retryBackoffMs?: number;
            retryBackoffMult?: number;
            signingSecret?: string | null;
            /** @enum {string} */
            status?: "active" | "paused";
            storageConfig?: ({
                accessKeyId?: string | null;
                bucket: string;
                /**
                 * Format: uri
                 * @description of a store other than Amazon’s
                 */
                endpoint?: string;
                /** @description the bucket in the path, not in the host; default: true with an `endpoint` */
                forcePathStyle?: boolean;
                prefix?: string;
                region: string;
                secretAccessKey?: string | null;
                /** @constant */
                type: "s3";
            } | {
                prefix?: string;
                /** @constant */
                type: "file";
            }) | null;
            timeoutMs?: number;
            transformation?: string | null;
            /** Format: uri */
            url: string;
        };
        CreateEvent: {
            /** @default 0 */
            delaySeconds: number;
            /** Format: uri */
            destination?: string;
            eventType?: string & (unknown & unknown);
            headers?: {
                [key: string]: string;
            };
            maxAttempts?: number;
            payload: {
                [key: string]: unknown;
            };
            /** @default 5 */
            priority: number;
        } & ({
            eventType?: never;
        } | {
            destination?: never;
        });
        CreateEventType: {
            description?: string | null;
            name: string;
            schema?: {
                [key: string]: unknown;
            } | null;
            schemaVersion?: string | null;
        };
        CreateInboundEndpoint: {
            description?: string | null;
            destinationIds?: string[] | null;
            eventTypeMapping?: string | null;
            name: string;
            pathSuffix?: string;
            source: string;
            sourceConfig?: {
                [key: string]: string | string[];
            };
            /** @enum {string} */
            status?: "active" | "inactive";
            transformation?: string | null;
        };
        CreateProject: {
            /**
             * @default production
             * @enum {string}
             */
            environment: "production" | "staging" | "development";
            name: string;
        };
        CreateReplay: {
            /** Format: date-time */
            since: string;
            status?: ("dead" | "failed") | ("dead" | "failed")[];
            /** Format: date-time */
            until?: string;
        };
        CreateScimToken: {
            name: string;
        };
        CreateScimTokenAnswer: {
            createdAt: string;
            id: string;
            lastUsedAt: string | null;
            name: string;
            /** @description shown this once */
            token: string;
        };
        /** @description a User of SCIM 2.0 */
        CreateScimUser: {
            [key: string]: unknown;
        };
        CreateSsoConnection: {
            /**
             * Format: uuid
             * @description the one admin whose password goes on being taken while it is enforced
             */
            breakGlassUserId?: string;
            /**
             * @description of members who come by it for the first time
             * @enum {string}
             */
            defaultRole?: "viewer" | "editor" | "admin";
            domains?: string[];
            /** @description refuse passwords for its domains' addresses */
            enforced?: boolean;
            /** @description the identity provider's metadata in XML, instead of `saml` */
            idpMetadata?: string;
            name: string;
            oidc?: {
                clientId: string;
                clientSecret: string;
                /** Format: uri */
                issuer: string;
            };
            saml?: {
                /** @description X.509, in PEM */
                idpCertificates: string[];
                idpEntityId: string;
                /** Format: uri */
                idpSsoUrl: string;
                /** @description refuse a response in which only the assertion is signed; default: false */
                wantResponseSigned?: boolean;
            };
            slug?: string;
            /** @enum {string} */
            status?: "active" | "inactive";
            /** @enum {string} */
            type: "oidc" | "saml";
        } & ({
            idpMetadata?: never;
            saml?: never;
        } | {
            idpMetadata?: never;
            oidc?: never;
        } | {
            oidc?: never;
            saml?: never;
        });
        CreateSsoConnectionAnswer: {
            breakGlassUserId: string | null;
            createdAt: string;
            /** @enum {string} */
            defaultRole: "viewer" | "editor" | "admin";
            domains: string[];
            enforced: boolean;
            id: string;
            loginUrl: string;
            name: string;
            oidc: {
                /** @description the redirect URI to register at the provider */
                callbackUrl: string;
                clientId: string;
                issuer: string;
            } | null;
            saml: {
                acsUrl: string;
                idpCertificates: string[];
                idpEntityId: string;
                idpSsoUrl: string;
                metadataUrl: string;
                spEntityId: string;
                wantResponseSigned: boolean;
            } | null;
            slug: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /** @enum {string} */
            type: "oidc" | "saml";
            updatedAt: string;
        };
        CreateSsoDomain: {
            domain: string;
        };
        CreateSsoDomainAnswer: {
            createdAt: string;
            domain: string;
            id: string;
            /** @enum {string} */
            status: "pending" | "verified";
            /** @description the text of a TXT record of the domain itself */
            txtRecord: string;
            verifiedAt: string | null;
        };
        CreateSubAccount: {
            email?: string | null;
            externalId?: string;
            metadata?: {
                [key: string]: unknown;
            } | null;
            name?: string | null;
            /** @description another name of externalId */
            subID?: string;
        } & (unknown | unknown);
        CreateSubAccountAnswer: {
            createdAt: string;
            email: string | null;
            externalId: string;
            id: string;
            metadata: {
                [key: string]: unknown;
            } | null;
            name: string | null;
            /** @enum {string} */
            status: "active" | "deactivated";
            updatedAt: string;
        };
        CreateSubAccountEndpoint: {
            allowedCidrs?: string[] | null;
            allowedCIDRs?: string[] | null;
            blockedCidrs?: string[] | null;
            blockedCIDRs?: string[] | null;
            circuitResetMs?: number;
            circuitThreshold?: number;
            customHeaders?: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode?: "push" | "poll";
            description?: string | null;
            eventTypes: string[];
            fifo?: boolean;
            fifoPartitionKey?: string | null;
            filter?: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            maxRetries?: number;
            mtlsCert?: string | null;
            mtlsKey?: string | null;
            rateLimitPerSec?: number;
            retryBackoffMax?: number;
            retryBackoffMs?: number;
            retryBackoffMult?: number;
            signingSecret?: string | null;
            /** @enum {string} */
            status?: "active" | "paused";
            timeoutMs?: number;
            transformation?: string | null;
            /** Format: uri */
            url: string;
        };
        CurrentUsage: {
            /** @description accepted in the period; at most two seconds old */
            events: number;
            /** @description 0: no limit */
            limit: number;
            period: {
                end: string;
                start: string;
            };
            /** @description null: no limit */
            remaining: number | null;
            resetsAt: string;
        };
        DeleteWorkspace: {
            /** @description the workspace's name */
            confirm: string;
        };
        DeliveryPage: {
            data: components["schemas"]["Attempt"][];
            pagination: {
                hasMore: boolean;
                limit: number;
                offset: number;
                /** @description exact to 10,000, where it stops */
                total: number;
            };
        };
        DisableMfa: {
            code?: string;
            password?: string;
        };
        DiscoverSsoAnswer: {
            /** @enum {string} */
            method: "password" | "oauth" | "saml";
            /** @description absent with `password` */
            redirectUrl?: string;
        };
        DownloadSubjectExportAnswer: {
            audit_logs: {
                [key: string]: unknown;
            }[];
            client_id: string;
            delivery_attempts: {
                [key: string]: unknown;
            }[];
            events: {
                [key: string]: unknown;
            }[];
            exported_at: string;
            /** @constant */
            schema_version: 1;
        };
        EditEvent: {
            /** Format: uri */
            destination?: string;
            headers?: {
                [key: string]: string;
            };
            payload?: {
                [key: string]: unknown;
            };
            /** @default false */
            replay: boolean;
        } | unknown | unknown | unknown | {
            /** @constant */
            replay: true;
        };
        EgressIps: {
            ips: string[];
        };
        EmailOnly: {
            /** Format: email */
            email: string;
        };
        EmailVerified: {
            email: string;
            /** @constant */
            emailVerified: true;
        };
        Endpoint: {
            allowedCidrs: string[] | null;
            blockedCidrs: string[] | null;
            circuitResetMs: number;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            circuitThreshold: number;
            createdAt: string;
            customHeaders: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode: "push" | "poll" | "storage";
            description: string | null;
            eventTypes: string[];
            fifo: boolean;
            fifoPartitionKey: string | null;
            filter: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            hasMtls: boolean;
            id: string;
            maxRetries: number;
            /** @description the client certificate, PEM; its key is never shown */
            mtlsCert: string | null;
            projectId: string;
            rateLimitPerSec: number;
            retryBackoffMax: number;
            retryBackoffMs: number;
            retryBackoffMult: number;
            /** @description last 4 characters; null: the global secret */
            signingSecretHint: string | null;
            /** @enum {string} */
            status: "active" | "paused" | "disabled";
            storageConfig: ({
                bucket: string;
                /**
                 * Format: uri
                 * @description of a store other than Amazon’s
                 */
                endpoint?: string;
                /** @description the bucket in the path, not in the host; default: true with an `endpoint` */
                forcePathStyle?: boolean;
                prefix?: string;
                region: string;
                /** @constant */
                type: "s3";
            } | {
                prefix?: string;
                /** @constant */
                type: "file";
            }) | null;
            /** @description last 4 characters of `accessKeyId`; null: there are no credentials */
            storageKeyHint: string | null;
            timeoutMs: number;
            transformation: string | null;
            updatedAt: string;
            url: string;
            version: number;
        };
        EndpointCreated: {
            allowedCidrs: string[] | null;
            blockedCidrs: string[] | null;
            circuitResetMs: number;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            circuitThreshold: number;
            createdAt: string;
            customHeaders: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode: "push" | "poll" | "storage";
            description: string | null;
            eventTypes: string[];
            fifo: boolean;
            fifoPartitionKey: string | null;
            filter: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            hasMtls: boolean;
            id: string;
            maxRetries: number;
            /** @description the client certificate, PEM; its key is never shown */
            mtlsCert: string | null;
            projectId: string;
            rateLimitPerSec: number;
            retryBackoffMax: number;
            retryBackoffMs: number;
            retryBackoffMult: number;
            signingSecret: string | null;
            /** @description last 4 characters; null: the global secret */
            signingSecretHint: string | null;
            /** @enum {string} */
            status: "active" | "paused" | "disabled";
            storageConfig: ({
                bucket: string;
                /**
                 * Format: uri
                 * @description of a store other than Amazon’s
                 */
                endpoint?: string;
                /** @description the bucket in the path, not in the host; default: true with an `endpoint` */
                forcePathStyle?: boolean;
                prefix?: string;
                region: string;
                /** @constant */
                type: "s3";
            } | {
                prefix?: string;
                /** @constant */
                type: "file";
            }) | null;
            /** @description last 4 characters of `accessKeyId`; null: there are no credentials */
            storageKeyHint: string | null;
            timeoutMs: number;
            transformation: string | null;
            updatedAt: string;
            url: string;
            version: number;
        };
        EndpointPage: {
            data: components["schemas"]["Endpoint"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        EndpointRotated: {
            allowedCidrs: string[] | null;
            blockedCidrs: string[] | null;
            circuitResetMs: number;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            circuitThreshold: number;
            createdAt: string;
            customHeaders: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode: "push" | "poll" | "storage";
            description: string | null;
            eventTypes: string[];
            fifo: boolean;
            fifoPartitionKey: string | null;
            filter: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            hasMtls: boolean;
            id: string;
            maxRetries: number;
            /** @description the client certificate, PEM; its key is never shown */
            mtlsCert: string | null;
            /** @description until then the former secret signs as well */
            previousValidUntil: string | null;
            projectId: string;
            rateLimitPerSec: number;
            retryBackoffMax: number;
            retryBackoffMs: number;
            retryBackoffMult: number;
            signingSecret: string;
            /** @description last 4 characters; null: the global secret */
            signingSecretHint: string | null;
            /** @enum {string} */
            status: "active" | "paused" | "disabled";
            storageConfig: ({
                bucket: string;
                /**
                 * Format: uri
                 * @description of a store other than Amazon’s
                 */
                endpoint?: string;
                /** @description the bucket in the path, not in the host; default: true with an `endpoint` */
                forcePathStyle?: boolean;
                prefix?: string;
                region: string;
                /** @constant */
                type: "s3";
            } | {
                prefix?: string;
                /** @constant */
                type: "file";
            }) | null;
            /** @description last 4 characters of `accessKeyId`; null: there are no credentials */
            storageKeyHint: string | null;
            timeoutMs: number;
            transformation: string | null;
            updatedAt: string;
            url: string;
            version: number;
        };
        EndpointVersion: {
            changedAt: string;
            changedBy: string;
            /** @description fields that differ from the version before */
            changes: string[];
            config: {
                allowedCidrs: string[] | null;
                blockedCidrs: string[] | null;
                circuitResetMs: number;
                circuitThreshold: number;
                customHeaders: {
                    [key: string]: string;
                } | null;
                /** @enum {string} */
                deliveryMode: "push" | "poll" | "storage";
                description: string | null;
                eventTypes: string[];
                fifo: boolean;
                fifoPartitionKey: string | null;
                filter: {
                    field: string;
                    /** @enum {string} */
                    operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                    value: unknown;
                }[] | null;
                maxRetries: number;
                rateLimitPerSec: number;
                retryBackoffMax: number;
                retryBackoffMs: number;
                retryBackoffMult: number;
                storageConfig: ({
                    bucket: string;
                    /**
                     * Format: uri
                     * @description of a store other than Amazon’s
                     */
                    endpoint?: string;
                    /** @description the bucket in the path, not in the host; default: true with an `endpoint` */
                    forcePathStyle?: boolean;
                    prefix?: string;
                    region: string;
                    /** @constant */
                    type: "s3";
                } | {
                    prefix?: string;
                    /** @constant */
                    type: "file";
                }) | null;
                timeoutMs: number;
                transformation: string | null;
                url: string;
            };
            version: number;
        };
        EndpointVersionPage: {
            data: components["schemas"]["EndpointVersion"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        Entitlements: {
            features: {
                alerting: boolean;
                gdpr: boolean;
                inbound: boolean;
                saml: boolean;
                scim: boolean;
                sso: boolean;
                sub_accounts: boolean;
                transformations: boolean;
            };
            limits: {
                /** @description the largest `rateLimitPerSec`; 0: no limit */
                endpointRatePerSec: number;
                /** @description 0: no limit */
                endpoints: number;
                /** @description 0: no limit */
                eventsPerMonth: number;
                /** @description over all API keys and sessions together; 0: no limit */
                requestsPerSecond: number;
                retentionDays: {
                    /** @description in days; 0: for ever */
                    attempts: number;
                    /** @description in days; 0: for ever */
                    auditLogs: number;
                    /** @description in days; 0: for ever */
                    authAudit: number;
                    /** @description in days; 0: for ever */
                    events: number;
                };
            };
            /** @enum {string} */
            plan: "free" | "starter" | "growth" | "scale" | "self_hosted";
        };
        Error: {
            /** @enum {string} */
            code: "BAD_REQUEST" | "VALIDATION_ERROR" | "BATCH_TOO_LARGE" | "DESTINATION_BLOCKED" | "MISSING_RETURN_URL" | "INVALID_TOKEN" | "UNAUTHORIZED" | "MFA_REQUIRED" | "SESSION_EXPIRED" | "SIGNATURE_INVALID" | "QUOTA_EXCEEDED" | "FORBIDDEN" | "PLAN_REQUIRED" | "EMAIL_NOT_VERIFIED" | "SSO_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "DUPLICATE_EVENT" | "INVALID_STATE" | "ALREADY_CONSUMED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE";
            /** @description The failing fields; for CONFLICT and INTERNAL an object. */
            details?: {
                message: string;
                path: string;
            }[] | Record<string, never>;
            /** @description What failed, on what, and what to do. */
            error: string;
            /** @description Of a failed session in the portal: where it leads back to. */
            returnUrl?: string;
            subAccountId?: string;
        };
        EventCreated: {
            attempts: number;
            createdAt: string;
            destination: string | null;
            eventType: string | null;
            id: string;
            idempotencyKey: string;
            maxAttempts: number;
            priority: number;
            /** @enum {string} */
            status: "queued" | "delivering" | "delivered" | "failed" | "dead";
        };
        EventDeliveries: {
            /** @description of all the attempts of the event, also beyond this page */
            count: number;
            deliveries: components["schemas"]["Attempt"][];
            /** @description a page ends at `limit` attempts, or sooner at 4 MiB of kept bodies */
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        EventDetail: {
            attempts: number;
            createdAt: string;
            deadReason: string | null;
            /** @description When a delayed event is due; null without a delay. */
            deliverAt: string | null;
            deliveredAt: string | null;
            /** @description in the order in which they were made; the newest 1,000 of an event with more */
            deliveryAttempts: {
                attemptedAt: string;
                attemptNumber: number;
                durationMs: number;
                id: string;
                statusCode: number;
            }[];
            destination: string | null;
            eventType: string | null;
            /** @description `deliveryAttempts` leaves out older attempts: GET /api/v1/events/{eventId}/deliveries pages through all */
            hasMoreAttempts: boolean;
            headers: {
                [key: string]: string;
            } | null;
            id: string;
            idempotencyKey: string;
            maxAttempts: number;
            payload: {
                [key: string]: unknown;
            };
            priority: number;
            projectId: string;
            /** @enum {string} */
            status: "queued" | "delivering" | "delivered" | "failed" | "dead";
            traceId: string;
        };
        EventExplanation: {
            createdAt: string;
            deadReason: string | null;
            /** @description at most 1,000 */
            deliveries: components["schemas"]["ExplainedDelivery"][];
            destination: string | null;
            /** @description those with a delivery first; at most 1,000, fewer where filters are large or expensive */
            endpoints: {
                deliveryId: string | null;
                description: string | null;
                endpointId: string;
                /** @description the first condition that failed, and the values that its path found */
                filter: {
                    condition: {
                        field: string;
                        /** @enum {string} */
                        operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                        value: unknown;
                    };
                    /** @description the first ten, and long ones cut short */
                    found: unknown[];
                    index: number;
                    /** @description the filter took more steps on this payload than it may, or asked for what is not looked at, so it does not match */
                    tooCostly: boolean;
                } | null;
                matched: boolean;
                /** @description why it did not match */
                reason: ("project" | "type" | "filter" | "deleted" | "created_later" | "test" | "destination" | "changed") | null;
                /** @enum {string} */
                status: "active" | "paused" | "disabled" | "deleted";
                url: string;
            }[];
            eventId: string;
            eventType: string | null;
            fannedOutAt: string | null;
            /** @description `deliveries` leaves out some deliveries: GET /api/v1/events/{eventId}/deliveries pages through their attempts */
            hasMoreDeliveries: boolean;
            /** @description `endpoints` leaves out some endpoints */
            hasMoreEndpoints: boolean;
            /** @enum {string} */
            status: "queued" | "delivering" | "delivered" | "failed" | "dead";
            /** @description of an event that is not fanned out yet */
            waitsFor: {
                /** @enum {string} */
                reason: "delay" | "fan_out" | "in_flight" | "backoff" | "paused" | "disabled" | "circuit" | "rate_limit" | "overflow" | "lane" | "poll";
                /** @description when it is looked at again; null: nobody knows */
                until: string | null;
            } | null;
        };
        EventListItem: {
            attempts: number;
            createdAt: string;
            deadReason: string | null;
            /** @description When a delayed event is due; null without a delay. */
            deliverAt: string | null;
            deliveredAt: string | null;
            destination: string | null;
            eventType: string | null;
            id: string;
            idempotencyKey: string;
            /** @description of the last attempt, "" on success; null before the first */
            lastError: string | null;
            /** @description of the last attempt, 0 when no response came; null before the first */
            lastStatusCode: number | null;
            maxAttempts: number;
            /** @description the earliest time of a next attempt; null when no delivery waits for one */
            nextAttemptAt: string | null;
            priority: number;
            projectId: string;
            /** @enum {string} */
            status: "queued" | "delivering" | "delivered" | "failed" | "dead";
            traceId: string;
        };
        EventPage: {
            data: components["schemas"]["EventListItem"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        EventSummary: {
            attempts: number;
            createdAt: string;
            deadReason: string | null;
            /** @description When a delayed event is due; null without a delay. */
            deliverAt: string | null;
            deliveredAt: string | null;
            destination: string | null;
            eventType: string | null;
            id: string;
            idempotencyKey: string;
            maxAttempts: number;
            priority: number;
            projectId: string;
            /** @enum {string} */
            status: "queued" | "delivering" | "delivered" | "failed" | "dead";
            traceId: string;
        };
        EventType: {
            createdAt: string;
            description: string | null;
            id: string;
            name: string;
            projectId: string;
            schema: {
                [key: string]: unknown;
            } | null;
            schemaVersion: string | null;
            updatedAt: string;
        };
        EventTypePage: {
            data: components["schemas"]["EventType"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        ExchangeToken: {
            token: string;
        };
        ExplainedDelivery: {
            /** @description since the last replay */
            attempts: number;
            deadReason: string | null;
            /** @description null: a direct event */
            endpointId: string | null;
            id: string;
            lastError: string | null;
            maxAttempts: number;
            /** @enum {string} */
            state: "queued" | "delivering" | "waiting" | "delivered" | "dead";
            waitsFor: {
                /** @enum {string} */
                reason: "delay" | "fan_out" | "in_flight" | "backoff" | "paused" | "disabled" | "circuit" | "rate_limit" | "overflow" | "lane" | "poll";
                /** @description when it is looked at again; null: nobody knows */
                until: string | null;
            } | null;
        };
        ExportSubject: {
            /** Format: email */
            email?: string;
            /**
             * Format: email
             * @description another name of email
             */
            subjectEmail?: string;
        } & (unknown | unknown);
        ExportSubjectAnswer: {
            completedAt: string | null;
            createdAt: string;
            downloadUrl: string | null;
            error: string | null;
            id: string;
            /** @enum {string} */
            kind: "export" | "erasure" | "workspace_deletion";
            /** @description what the job does not reach */
            notes: string[];
            progress: {
                done: number;
                /** @description null: not yet counted */
                total: number | null;
            };
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed";
            subjectEmail: string | null;
        };
        ExportWorkspaceAnswer: {
            client_id: string;
            exported_at: string;
            /** @constant */
            schema_version: 1;
        } & {
            [key: string]: unknown;
        };
        FinishSamlLogin: {
            /** @description as the sign-in began with it */
            RelayState?: string;
            /** @description in base64 */
            SAMLResponse?: string;
        } & {
            [key: string]: unknown;
        };
        GetAnalyticsFailuresAnswer: {
            /** @enum {string} */
            bucket: "hour" | "day";
            data: {
                /** @description its beginning */
                bucket: string;
                dns: number;
                http_4xx: number;
                http_5xx: number;
                other: number;
                refused: number;
                timeout: number;
                tls: number;
            }[];
            from: string;
            to: string;
        };
        GetAnalyticsLatencyAnswer: {
            /** @enum {string} */
            bucket: "hour" | "day";
            data: {
                /** @description its beginning */
                bucket: string;
                /** @description attempts */
                count: number;
                /** @description at most 4.5 % off; 0: there were no attempts */
                p50: number;
                /** @description at most 4.5 % off; 0: there were no attempts */
                p95: number;
                /** @description at most 4.5 % off; 0: there were no attempts */
                p99: number;
            }[];
            from: string;
            to: string;
        };
        GetAnalyticsOutcomesAnswer: {
            /** @enum {string} */
            bucket: "hour" | "day";
            data: {
                /** @description its beginning */
                bucket: string;
                /** @description without timeouts */
                failure: number;
                success: number;
                timeout: number;
            }[];
            from: string;
            to: string;
        };
        GetAnalyticsSummaryAnswer: {
            /** @enum {string} */
            bucket: "hour" | "day";
            data: {
                attempts: number;
                /** @description its beginning */
                bucket: string;
                /** @description deliveries that were given up */
                deadLettered: number;
                /** @description deliveries, acknowledged ones among them */
                delivered: number;
                /** @description attempts that failed */
                failed: number;
                /** @description events accepted; of an endpoint: deliveries that were made for it */
                sent: number;
                /** @description `delivered` among `delivered` and `failed`, in per cent; 0: there were none */
                successRate: number;
            }[];
            from: string;
            to: string;
        };
        GetAnalyticsThroughputAnswer: {
            /** @enum {string} */
            bucket: "hour" | "day";
            data: {
                accepted: number;
                /** @description its beginning */
                bucket: string;
                delivered: number;
                /** @description accepted, over the part of the bucket that is asked for */
                perSecond: number;
            }[];
            from: string;
            to: string;
        };
        GetBillingOverviewAnswer: {
            invoices: {
                amountDue: number;
                amountPaid: number;
                createdAt: string;
                currency: string;
                hostedUrl: string | null;
                id: string;
                number: string | null;
                pdfUrl: string | null;
                status: string;
            }[];
            plan: string;
            plans: {
                annual: number | null;
                currency: string | null;
                features: {
                    [key: string]: boolean;
                };
                id: string;
                limits: {
                    endpointRatePerSec: number;
                    endpoints: number;
                    eventsPerMonth: number;
                    requestsPerSecond: number;
                    retentionDays: {
                        attempts: number;
                        auditLogs: number;
                        authAudit: number;
                        events: number;
                    };
                };
                monthly: number | null;
                name: string;
            }[];
            subscription: {
                cancelAtPeriodEnd: boolean;
                currentPeriodEnd: string | null;
                currentPeriodStart: string | null;
                /** @enum {string} */
                cycle: "monthly" | "annual";
                planId: string;
                scheduledChange: {
                    /** @enum {string} */
                    cycle: "monthly" | "annual";
                    effectiveAt: string;
                    planId: string;
                } | null;
                status: string;
            } | null;
        };
        GetEndpointHealthAnswer: {
            /** @description worst first; of the newest 1000 endpoints */
            data: {
                /**
                 * @description more may wait: of each endpoint 10,000 are counted, and of all together a million
                 * @constant
                 */
                capped?: true;
                /** @enum {string} */
                circuitState: "closed" | "open" | "half_open";
                /** @description successes among successes and failures, in per cent; null: there were none */
                deliveryRate: number | null;
                endpointId: string;
                /** @description to the second */
                lastFailureAt: string | null;
                /** @description to the second */
                lastSuccessAt: string | null;
                openUntil: string | null;
                p95Ms: number | null;
                /** @enum {string} */
                status: "active" | "paused" | "disabled";
                /** @description null: the endpoint is polled, or stores */
                url: string | null;
                /** @description at most 10,000 are counted */
                waiting: number;
            }[];
            from: string;
            to: string;
        };
        GetEndpointRateLimitAnswer: {
            availableTokens: number | null;
            /**
             * @description more may wait: of each endpoint 10,000 are counted, and of all together a million
             * @constant
             */
            capped?: true;
            id: string;
            /** @description null: no limit */
            limitPerSec: number | null;
            /** @description deliveries that the limit held up in the last minute */
            throttledLastMinute: number;
            waiting: number;
        };
        GetRateLimitsAnswer: {
            apiKeys: {
                id: string;
                /** @description per second; null: no limit of its own */
                limit: number | null;
                name: string;
                remaining: number | null;
                resetAt: string | null;
            }[];
            endpoints: {
                availableTokens: number | null;
                /**
                 * @description more may wait: of each endpoint 10,000 are counted, and of all together a million
                 * @constant
                 */
                capped?: true;
                id: string;
                /** @description null: no limit */
                limitPerSec: number | null;
                waiting: number;
            }[];
        };
        GetRetentionAnswer: {
            /** @description null: as the plan says; 0: for ever */
            auditLogDays: number | null;
            /** @description null: as the plan says; 0: for ever */
            authAuditDays: number | null;
            /** @description null: as the plan says; 0: for ever */
            deliveryAttemptDays: number | null;
            effective: {
                auditLogDays: number;
                authAuditDays: number;
                deliveryAttemptDays: number;
                eventDays: number;
            };
            /** @description null: as the plan says; 0: for ever */
            eventDays: number | null;
            planDefaults: {
                auditLogDays: number;
                authAuditDays: number;
                deliveryAttemptDays: number;
                eventDays: number;
            };
        };
        GetScimConfigAnswer: {
            [key: string]: unknown;
        };
        GetStatsAnswer: {
            at: string;
            /**
             * @description a count stopped at 10,000
             * @constant
             */
            capped?: true;
            /** @description events of which a delivery was given up, as long as they are kept */
            dead: number;
            deliveredLastMinute: number;
            /** @description delivered, over the last ten seconds */
            deliveriesPerSecond: number;
            /** @description deliveries on their way */
            delivering: number;
            /** @description accepted, over the last ten seconds */
            eventsPerSecond: number;
            /** @description deliveries that wait for another attempt */
            failed: number;
            /** @description for how long the oldest of what is due has waited; 0: nothing is */
            oldestQueuedSeconds: number;
            /** @description deliveries that wait for their first attempt, and events for fan-out */
            queued: number;
        };
        GetSubAccountSettingsAnswer: {
            defaultReturnUrl: string | null;
            theme: {
                brandName: string | null;
                dark: {
                    "--accent-main-100": string;
                    "--accent-main-900": string;
                    "--bg-000": string;
                    "--bg-100": string;
                    "--bg-200": string;
                    "--chart-dead": string;
                    "--chart-delivered": string;
                    "--chart-failed": string;
                    "--warning-100": string;
                } | null;
                /** @enum {string} */
                font: "inter" | "system" | "serif" | "monospace";
                light: {
                    "--accent-main-100": string;
                    "--accent-main-900": string;
                    "--bg-000": string;
                    "--bg-100": string;
                    "--bg-200": string;
                    "--chart-dead": string;
                    "--chart-delivered": string;
                    "--chart-failed": string;
                    "--warning-100": string;
                } | null;
                logo: string | null;
            } | null;
        };
        GetSubscriptionAnswer: {
            subscription: {
                cancelAtPeriodEnd: boolean;
                currentPeriodEnd: string | null;
                currentPeriodStart: string | null;
                /** @enum {string} */
                cycle: "monthly" | "annual";
                planId: string;
                scheduledChange: {
                    /** @enum {string} */
                    cycle: "monthly" | "annual";
                    effectiveAt: string;
                    planId: string;
                } | null;
                status: string;
            } | null;
        };
        GlobalSecret: {
            previousValidUntil: string | null;
            signingSecret: string;
        };
        InboundEndpoint: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            destinationIds: string[] | null;
            eventTypeMapping: string | null;
            /** Format: uuid */
            id: string;
            lastReceivedAt: string | null;
            /** @description the sender only gets 401 */
            lastRejection: {
                /** Format: date-time */
                at: string;
                reason: string;
            } | null;
            name: string;
            pathSuffix: string;
            /** Format: uuid */
            projectId: string;
            receivedCount: number;
            rejectedCount: number;
            source: string;
            sourceConfig: {
                [key: string]: string | string[];
            };
            /** @enum {string} */
            status: "active" | "inactive";
            transformation: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** @description where the platform sends its webhooks */
            url: string;
        };
        InboundEndpointPage: {
            data: components["schemas"]["InboundEndpoint"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        InboundPreset: {
            configKeys: string[];
            description: string;
            docs: string;
            eventTypePath: string | null;
            mode: string;
            name: string;
            signatureHeaders: string[];
            source: string;
        };
        InboundPresetPage: {
            data: components["schemas"]["InboundPreset"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        InboundVerified: {
            deliveryId: string | null;
            eventType: string | null;
            reason: string | null;
            steps: {
                expected: string;
                found: string;
                ok: boolean;
                step: string;
            }[];
            verified: boolean;
        };
        InviteMember: {
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
        };
        InviteStatus: {
            clientName: string;
            email: string;
            /** @description true: the e-mail has an account, whose password or session accepts */
            existingUser: boolean;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
            /** @enum {string} */
            status: "pending" | "accepted" | "expired" | "revoked";
        };
        ListAuditLogsAnswer: {
            data: {
                action: string;
                actor: {
                    id: string | null;
                    name: string | null;
                    /** @enum {string} */
                    type: "user" | "api_key" | "sub_account" | "system";
                };
                /** @description the person: also who made the API key */
                actorUserId: string | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: uuid */
                id: string;
                ip: string | null;
                /** @description `changes`: a list of `{field, from, to}`; secrets are hints only */
                metadata: {
                    [key: string]: unknown;
                };
                requestId: string | null;
                resource: string;
                resourceId: string | null;
                userAgent: string | null;
            }[];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        ListAuthAuditAnswer: {
            data: {
                /** Format: date-time */
                createdAt: string;
                event: string;
                /** Format: uuid */
                id: string;
                ip: string | null;
                metadata: {
                    [key: string]: unknown;
                };
                subject: string | null;
                userAgent: string | null;
                userId: string | null;
            }[];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        ListBillingPlansAnswer: {
            plans: {
                annual: number | null;
                currency: string | null;
                features: {
                    [key: string]: boolean;
                };
                id: string;
                limits: {
                    endpointRatePerSec: number;
                    endpoints: number;
                    eventsPerMonth: number;
                    requestsPerSecond: number;
                    retentionDays: {
                        attempts: number;
                        auditLogs: number;
                        authAudit: number;
                        events: number;
                    };
                };
                monthly: number | null;
                name: string;
            }[];
        };
        ListInvoicesAnswer: {
            invoices: {
                amountDue: number;
                amountPaid: number;
                createdAt: string;
                currency: string;
                hostedUrl: string | null;
                id: string;
                number: string | null;
                pdfUrl: string | null;
                status: string;
            }[];
        };
        ListScimTokensAnswer: {
            data: {
                createdAt: string;
                id: string;
                lastUsedAt: string | null;
                name: string;
            }[];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        ListSsoConnectionsAnswer: {
            data: components["schemas"]["CreateSsoConnectionAnswer"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        ListSsoDomainsAnswer: {
            data: components["schemas"]["CreateSsoDomainAnswer"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        ListSsoProvidersAnswer: {
            providers: {
                id: string;
                /** @description where the sign-in button leads */
                loginUrl: string;
                name: string;
            }[];
        };
        ListSubAccountsAnswer: {
            data: components["schemas"]["CreateSubAccountAnswer"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        ListSubjectJobsAnswer: {
            data: components["schemas"]["ExportSubjectAnswer"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        LoggedIn: {
            client: {
                createdAt: string;
                id: string;
                name: string;
                onboardingComplete: boolean;
                /** @enum {string} */
                plan: "free" | "starter" | "growth" | "scale" | "self_hosted";
            };
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
            user: components["schemas"]["AuthUser"];
        };
        LogIn: {
            /** Format: email */
            email: string;
            password: string;
        };
        LogInAnswer: components["schemas"]["LoggedIn"] | {
            /** @constant */
            mfaRequired: true;
        };
        Me: {
            createdAt: string;
            id: string;
            name: string;
            onboardingComplete: boolean;
            /** @enum {string} */
            plan: "free" | "starter" | "growth" | "scale" | "self_hosted";
            /** @description null: an API key */
            role: ("viewer" | "editor" | "admin") | null;
            scopes: string[];
            /** @description null: an API key */
            user: components["schemas"]["AuthUser"] | null;
        };
        MfaCode: {
            code: string;
        };
        MfaEnrolment: {
            /** @description the same as a QR code holds it */
            otpauthUrl: string;
            /** @description base32, to be typed into an authenticator app */
            secret: string;
        };
        MintSubAccountSession: {
            /** @description seconds; 3,600 where it is not given */
            expiresIn?: number;
            /**
             * Format: uri
             * @description another name of returnURL
             */
            returnUrl?: string;
            /**
             * Format: uri
             * @description where the portal leads back to, for this session
             */
            returnURL?: string;
            /** @description all where they are not given */
            scopes?: ("endpoints:read" | "endpoints:write" | "events:read" | "events:retry" | "deliveries:read")[];
            /** @description another name of expiresIn */
            ttlSeconds?: number;
        };
        Nothing: Record<string, never>;
        NotificationTested: {
            /** @enum {string} */
            delivery: "sent" | "failed";
            error: string | null;
            statusCode: number | null;
        };
        Passkey: {
            createdAt: string;
            /** @description the credential's id in base64url */
            id: string;
            lastUsedAt: string | null;
            name: string;
        };
        PasskeyCreationOptions: {
            /** @constant */
            attestation: "none";
            authenticatorSelection: {
                /** @constant */
                requireResidentKey: true;
                /** @constant */
                residentKey: "required";
                /** @constant */
                userVerification: "required";
            };
            /** @description taken once, within 5 minutes */
            challenge: string;
            excludeCredentials: {
                id: string;
                transports?: string[];
                /** @constant */
                type: "public-key";
            }[];
            pubKeyCredParams: {
                alg: number;
                /** @constant */
                type: "public-key";
            }[];
            rp: {
                id: string;
                name: string;
            };
            timeout: number;
            user: {
                displayName: string;
                id: string;
                name: string;
            };
        };
        PasskeyList: {
            data: components["schemas"]["Passkey"][];
        };
        PasskeyRequestOptions: {
            /** @description empty: any passkey of this site */
            allowCredentials: {
                id: string;
                transports?: string[];
                /** @constant */
                type: "public-key";
            }[];
            /** @description taken once, within 5 minutes */
            challenge: string;
            rpId: string;
            timeout: number;
            /** @enum {string} */
            userVerification: "required" | "preferred";
        };
        PatchInboundEndpoint: {
            description?: string | null;
            destinationIds?: string[] | null;
            eventTypeMapping?: string | null;
            name?: string;
            pathSuffix?: string;
            source?: string;
            sourceConfig?: {
                [key: string]: string | string[];
            };
            /** @enum {string} */
            status?: "active" | "inactive";
            transformation?: string | null;
        };
        /** @description a PatchOp of SCIM 2.0 */
        PatchScimUser: {
            [key: string]: unknown;
        };
        PollEventsAnswer: {
            count: number;
            events: {
                createdAt: string;
                eventType: string | null;
                /** @description the endpoint's custom headers and the event's, which win */
                headers: {
                    [key: string]: string;
                };
                id: string;
                payload: {
                    [key: string]: unknown;
                };
            }[];
        };
        PortalEndpoint: {
            allowedCidrs: string[] | null;
            blockedCidrs: string[] | null;
            circuitResetMs: number;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            circuitThreshold: number;
            createdAt: string;
            customHeaders: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode: "push" | "poll" | "storage";
            description: string | null;
            eventTypes: string[];
            fifo: boolean;
            fifoPartitionKey: string | null;
            filter: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            hasMtls: boolean;
            id: string;
            maxRetries: number;
            /** @description the client certificate, PEM; its key is never shown */
            mtlsCert: string | null;
            rateLimitPerSec: number;
            retryBackoffMax: number;
            retryBackoffMs: number;
            retryBackoffMult: number;
            /** @description last 4 characters; null: the global secret */
            signingSecretHint: string | null;
            /** @enum {string} */
            status: "active" | "paused" | "disabled";
            timeoutMs: number;
            transformation: string | null;
            updatedAt: string;
            url: string;
            version: number;
        };
        PortalEndpointCreated: {
            allowedCidrs: string[] | null;
            blockedCidrs: string[] | null;
            circuitResetMs: number;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            circuitThreshold: number;
            createdAt: string;
            customHeaders: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode: "push" | "poll" | "storage";
            description: string | null;
            eventTypes: string[];
            fifo: boolean;
            fifoPartitionKey: string | null;
            filter: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            hasMtls: boolean;
            id: string;
            maxRetries: number;
            /** @description the client certificate, PEM; its key is never shown */
            mtlsCert: string | null;
            rateLimitPerSec: number;
            retryBackoffMax: number;
            retryBackoffMs: number;
            retryBackoffMult: number;
            signingSecret: string | null;
            /** @description last 4 characters; null: the global secret */
            signingSecretHint: string | null;
            /** @enum {string} */
            status: "active" | "paused" | "disabled";
            timeoutMs: number;
            transformation: string | null;
            updatedAt: string;
            url: string;
            version: number;
        };
        PortalEndpointPage: {
            data: components["schemas"]["PortalEndpoint"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        PortalEndpointRotated: {
            allowedCidrs: string[] | null;
            blockedCidrs: string[] | null;
            circuitResetMs: number;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            circuitThreshold: number;
            createdAt: string;
            customHeaders: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode: "push" | "poll" | "storage";
            description: string | null;
            eventTypes: string[];
            fifo: boolean;
            fifoPartitionKey: string | null;
            filter: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            hasMtls: boolean;
            id: string;
            maxRetries: number;
            /** @description the client certificate, PEM; its key is never shown */
            mtlsCert: string | null;
            /** @description until then the former secret signs as well */
            previousValidUntil: string | null;
            rateLimitPerSec: number;
            retryBackoffMax: number;
            retryBackoffMs: number;
            retryBackoffMult: number;
            signingSecret: string;
            /** @description last 4 characters; null: the global secret */
            signingSecretHint: string | null;
            /** @enum {string} */
            status: "active" | "paused" | "disabled";
            timeoutMs: number;
            transformation: string | null;
            updatedAt: string;
            url: string;
            version: number;
        };
        PortalEventDetail: {
            attempts: number;
            createdAt: string;
            deadReason: string | null;
            /** @description When a delayed event is due; null without a delay. */
            deliverAt: string | null;
            deliveredAt: string | null;
            /** @description in the order in which they were made; the newest 1,000 of an event with more */
            deliveryAttempts: {
                attemptedAt: string;
                attemptNumber: number;
                durationMs: number;
                id: string;
                statusCode: number;
            }[];
            destination: string | null;
            eventType: string | null;
            /** @description `deliveryAttempts` leaves out older attempts: GET /api/v1/events/{eventId}/deliveries pages through all */
            hasMoreAttempts: boolean;
            headers: {
                [key: string]: string;
            } | null;
            id: string;
            idempotencyKey: string;
            maxAttempts: number;
            payload: {
                [key: string]: unknown;
            };
            priority: number;
            /** @enum {string} */
            status: "queued" | "delivering" | "delivered" | "failed" | "dead";
            traceId: string;
        };
        PortalEventListItem: {
            attempts: number;
            createdAt: string;
            deadReason: string | null;
            /** @description When a delayed event is due; null without a delay. */
            deliverAt: string | null;
            deliveredAt: string | null;
            destination: string | null;
            eventType: string | null;
            id: string;
            idempotencyKey: string;
            /** @description of the last attempt, "" on success; null before the first */
            lastError: string | null;
            /** @description of the last attempt, 0 when no response came; null before the first */
            lastStatusCode: number | null;
            maxAttempts: number;
            /** @description the earliest time of a next attempt; null when no delivery waits for one */
            nextAttemptAt: string | null;
            priority: number;
            /** @enum {string} */
            status: "queued" | "delivering" | "delivered" | "failed" | "dead";
            traceId: string;
        };
        PortalEventPage: {
            data: components["schemas"]["PortalEventListItem"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        PortalEventSummary: {
            attempts: number;
            createdAt: string;
            deadReason: string | null;
            /** @description When a delayed event is due; null without a delay. */
            deliverAt: string | null;
            deliveredAt: string | null;
            destination: string | null;
            eventType: string | null;
            id: string;
            idempotencyKey: string;
            maxAttempts: number;
            priority: number;
            /** @enum {string} */
            status: "queued" | "delivering" | "delivered" | "failed" | "dead";
            traceId: string;
        };
        PortalEventType: {
            createdAt: string;
            description: string | null;
            id: string;
            name: string;
            schema: {
                [key: string]: unknown;
            } | null;
            schemaVersion: string | null;
            updatedAt: string;
        };
        PortalEventTypePage: {
            data: components["schemas"]["PortalEventType"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        PortalSession: {
            expiresAt: string;
            name: string | null;
            returnUrl: string;
            scopes: ("endpoints:read" | "endpoints:write" | "events:read" | "events:retry" | "deliveries:read")[];
            subAccountId: string;
            theme: {
                brandName: string | null;
                dark: {
                    "--accent-main-100": string;
                    "--accent-main-900": string;
                    "--bg-000": string;
                    "--bg-100": string;
                    "--bg-200": string;
                    "--chart-dead": string;
                    "--chart-delivered": string;
                    "--chart-failed": string;
                    "--warning-100": string;
                } | null;
                /** @enum {string} */
                font: "inter" | "system" | "serif" | "monospace";
                light: {
                    "--accent-main-100": string;
                    "--accent-main-900": string;
                    "--bg-000": string;
                    "--bg-100": string;
                    "--bg-200": string;
                    "--chart-dead": string;
                    "--chart-delivered": string;
                    "--chart-failed": string;
                    "--warning-100": string;
                } | null;
                logo: string | null;
            } | null;
        };
        PreviewAlertRule: {
            condition: {
                /** @enum {string} */
                metric: "failure_rate" | "success_rate" | "latency" | "queue_depth" | "error_count" | "delivery_count";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne";
                value: number;
                /**
                 * @description a duration as Go writes it, from 1m to 720h
                 * @default 5m
                 */
                window: string;
            } | string;
            endpointId?: string | null;
            /** @default 24 */
            hours: number;
        };
        PreviewPlanChangeAnswer: {
            amountDue: number;
            currency: string;
            /** @enum {string} */
            cycle: "monthly" | "annual";
            /** @enum {string} */
            effective: "immediately" | "period_end";
            effectiveAt: string;
            lines: {
                amount: number;
                description: string;
                periodEnd: string;
                periodStart: string;
                proration: boolean;
            }[];
            planId: string;
            recurringAmount: number;
        };
        Project: {
            createdAt: string;
            /** @enum {string} */
            environment: "production" | "staging" | "development";
            id: string;
            isDefault: boolean;
            name: string;
            updatedAt: string;
        };
        ProjectPage: {
            data: components["schemas"]["Project"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        ReceiveStripeEventAnswer: {
            /** @constant */
            received: true;
        };
        RecoveryCodes: {
            /** @description shown this once; each is taken once */
            recoveryCodes: string[];
        };
        RegisterPasskey: {
            name: string;
            /** @description a RegistrationResponseJSON; further members are ignored */
            response: {
                id: string;
                rawId: string;
                response: {
                    attestationObject: string;
                    clientDataJSON: string;
                    transports?: string[];
                };
                /** @constant */
                type: "public-key";
            };
        };
        Replay: {
            createdAt: string;
            done: number;
            endedAt: string | null;
            endpointId: string;
            id: string;
            /** @enum {string} */
            status: "running" | "done";
            /** @description as found at the start; once done, what was queued again */
            total: number;
        };
        ResetPassword: {
            newPassword: string;
            token: string;
        };
        RetryBatch: {
            endpointId?: string;
            eventIds?: string[];
            limit?: number;
            /** @enum {string} */
            status?: "failed" | "dead";
        } & ({
            endpointId?: never;
            limit?: never;
            status?: never;
        } | {
            endpointId?: never;
            eventIds?: never;
        } | {
            eventIds?: never;
            status?: never;
        });
        RotateSecret: {
            /** @default 60 */
            gracePeriodMinutes: number;
            newSecret?: string;
        };
        SearchScimUsers: {
            attributes?: string[];
            count?: number;
            excludedAttributes?: string[];
            filter?: string;
            startIndex?: number;
        } & {
            [key: string]: unknown;
        };
        SecuritySettings: {
            /** @description members without a second factor may only enrol one */
            requireMfa: boolean;
        };
        Session: {
            client: {
                createdAt: string;
                id: string;
                name: string;
                onboardingComplete: boolean;
                /** @enum {string} */
                plan: "free" | "starter" | "growth" | "scale" | "self_hosted";
            };
            /** @description the person's workspaces */
            clients: {
                id: string;
                name: string;
                role: ("viewer" | "editor" | "admin") | null;
            }[];
            /** @description unless the session is used before */
            expiresAt: string;
            /** @description null: made from an API key without the scope `*` */
            role: ("viewer" | "editor" | "admin") | null;
            scopes: string[];
            /** @description null: made from an API key */
            user: components["schemas"]["AuthUser"] | null;
        };
        SessionFromKey: {
            /** @description without it, the header X-API-Key */
            apiKey?: string;
        };
        SessionFromLink: {
            token: string;
        };
        SessionList: {
            data: components["schemas"]["SessionRecord"][];
        };
        SessionRecord: {
            client: {
                id: string;
                name: string;
            };
            createdAt: string;
            /** @description the one of this request */
            current: boolean;
            expiresAt: string;
            id: string;
            ip: string | null;
            lastUsedAt: string;
            userAgent: string | null;
        };
        SetMtls: {
            certPem: string;
            keyPem: string;
        };
        SignedUp: {
            email: string;
            /** @constant */
            verificationSent: true;
        };
        SignUp: {
            companyName: string;
            /** Format: email */
            email: string;
            name?: string;
            /** @description 10 to 128 characters */
            password: string;
        };
        SubAccountSessionItem: {
            consumed_at: string | null;
            created_at: string;
            expires_at: string;
            id: string;
            last_used_at: string | null;
            max_expires_at: string;
            return_url: string;
            revoked_at: string | null;
            scopes: ("endpoints:read" | "endpoints:write" | "events:read" | "events:retry" | "deliveries:read")[];
            use_count: number;
        };
        SubAccountSessionMinted: {
            expiresAt: string;
            id: string;
            returnURL: string;
            scopes: ("endpoints:read" | "endpoints:write" | "events:read" | "events:retry" | "deliveries:read")[];
            /** @description taken once, by POST /sub-account-api/auth/exchange */
            token: string;
            /** @description the link to give to the customer: it opens once */
            url: string;
        };
        SubAccountSessionPage: {
            data: components["schemas"]["SubAccountSessionItem"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        SwitchSession: {
            /** Format: uuid */
            clientId: string;
        };
        TeamMember: {
            createdAt: string;
            email: string;
            lastLoginAt: string | null;
            name: string | null;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
            /** @enum {string} */
            source: "signup" | "invite" | "sso" | "scim";
            /** @enum {string} */
            status: "active" | "invited" | "deactivated";
            /** @description until an invitation is accepted, the invitation's own id */
            userId: string;
        };
        TeamPage: {
            data: components["schemas"]["TeamMember"][];
            pagination: {
                cursor: string | null;
                hasMore: boolean;
            };
        };
        TestEndpoint: {
            eventType?: string;
            payload?: {
                [key: string]: unknown;
            };
        };
        TestTransformation: {
            event: {
                /** Format: date-time */
                createdAt?: string;
                /** @default test */
                eventType: string;
                /** @default null */
                headers: {
                    [key: string]: string;
                } | null;
                /** @default 00000000-0000-7000-8000-000000000000 */
                id: string;
                payload: {
                    [key: string]: unknown;
                };
            };
            transformation: string;
        };
        TestTransformationAnswer: {
            error: string | null;
            /** @description what would be sent; null without an error: the delivery would be dropped */
            result: {
                headers: {
                    [key: string]: string;
                };
                payload: unknown;
            } | null;
        };
        UpdateAlertRule: {
            action?: ({
                channel?: string | null;
                message?: string | null;
                /** @constant */
                type: "slack";
                /** Format: uri */
                webhookUrl: string;
            } | {
                message?: string | null;
                subject?: string | null;
                to: string[];
                /** @constant */
                type: "email";
            } | {
                headers?: {
                    [key: string]: string;
                } | null;
                message?: string | null;
                /** @constant */
                type: "webhook";
                /** Format: uri */
                webhookUrl: string;
            } | {
                message?: string | null;
                routingKey: string;
                severity?: ("critical" | "error" | "warning" | "info") | null;
                /** @constant */
                type: "pagerduty";
            }) | null;
            condition?: {
                /** @enum {string} */
                metric: "failure_rate" | "success_rate" | "latency" | "queue_depth" | "error_count" | "delivery_count";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte" | "eq" | "ne";
                value: number;
                /**
                 * @description a duration as Go writes it, from 1m to 720h
                 * @default 5m
                 */
                window: string;
            };
            connectorName?: string | null;
            /** @description a duration as Go writes it, from 1m to 720h */
            cooldown?: string;
            description?: string | null;
            enabled?: boolean;
            endpointId?: string | null;
            name?: string;
        };
        UpdateConnector: {
            config?: {
                [key: string]: unknown;
            };
            eventTypes?: string[];
            template?: {
                color?: string;
                text?: string;
                title?: string;
            } | null;
        };
        UpdateEndpoint: {
            allowedCidrs?: string[] | null;
            allowedCIDRs?: string[] | null;
            blockedCidrs?: string[] | null;
            blockedCIDRs?: string[] | null;
            circuitResetMs?: number;
            circuitThreshold?: number;
            customHeaders?: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode?: "push" | "poll" | "storage";
            description?: string | null;
            eventTypes?: string[];
            fifo?: boolean;
            fifoPartitionKey?: string | null;
            filter?: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            maxRetries?: number;
            mtlsCert?: string | null;
            mtlsKey?: string | null;
            rateLimitPerSec?: number;
            retryBackoffMax?: number;
            retryBackoffMs?: number;
            retryBackoffMult?: number;
            signingSecret?: string | null;
            storageConfig?: ({
                accessKeyId?: string | null;
                bucket: string;
                /**
                 * Format: uri
                 * @description of a store other than Amazon’s
                 */
                endpoint?: string;
                /** @description the bucket in the path, not in the host; default: true with an `endpoint` */
                forcePathStyle?: boolean;
                prefix?: string;
                region: string;
                secretAccessKey?: string | null;
                /** @constant */
                type: "s3";
            } | {
                prefix?: string;
                /** @constant */
                type: "file";
            }) | null;
            timeoutMs?: number;
            transformation?: string | null;
            /** Format: uri */
            url?: string;
        };
        UpdateEventType: {
            description?: string | null;
            name?: string;
            schema?: {
                [key: string]: unknown;
            } | null;
            schemaVersion?: string | null;
        };
        UpdateMe: {
            name: string;
        };
        UpdateMember: {
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
        };
        UpdateProject: {
            /** @enum {string} */
            environment?: "production" | "staging" | "development";
            name?: string;
        };
        UpdateRetention: {
            /** @description null: as the plan says; 0: for ever */
            auditLogDays?: number | null;
            /** @description null: as the plan says; 0: for ever */
            authAuditDays?: number | null;
            /** @description null: as the plan says; 0: for ever */
            deliveryAttemptDays?: number | null;
            /** @description null: as the plan says; 0: for ever */
            eventDays?: number | null;
        };
        UpdateSecurity: {
            requireMfa: boolean;
        };
        UpdateSsoConnection: {
            breakGlassUserId?: string | null;
            /**
             * @description of members who come by it for the first time
             * @enum {string}
             */
            defaultRole?: "viewer" | "editor" | "admin";
            domains?: string[];
            /** @description refuse passwords for its domains' addresses */
            enforced?: boolean;
            /** @description the identity provider's metadata in XML, instead of `saml` */
            idpMetadata?: string;
            name?: string;
            oidc?: {
                clientId?: string;
                clientSecret?: string;
                /** Format: uri */
                issuer?: string;
            };
            saml?: {
                /** @description X.509, in PEM */
                idpCertificates?: string[];
                idpEntityId?: string;
                /** Format: uri */
                idpSsoUrl?: string;
                /** @description refuse a response in which only the assertion is signed; default: false */
                wantResponseSigned?: boolean;
            };
            slug?: string;
            /** @enum {string} */
            status?: "active" | "inactive";
        };
        UpdateSubAccount: {
            email?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            name?: string | null;
            /** @enum {string} */
            status?: "active" | "deactivated";
        };
        UpdateSubAccountEndpoint: {
            allowedCidrs?: string[] | null;
            allowedCIDRs?: string[] | null;
            blockedCidrs?: string[] | null;
            blockedCIDRs?: string[] | null;
            circuitResetMs?: number;
            circuitThreshold?: number;
            customHeaders?: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            deliveryMode?: "push" | "poll";
            description?: string | null;
            eventTypes?: string[];
            fifo?: boolean;
            fifoPartitionKey?: string | null;
            filter?: {
                field: string;
                /** @enum {string} */
                operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin" | "contains" | "startsWith" | "endsWith" | "exists" | "regex";
                value: unknown;
            }[] | null;
            maxRetries?: number;
            mtlsCert?: string | null;
            mtlsKey?: string | null;
            rateLimitPerSec?: number;
            retryBackoffMax?: number;
            retryBackoffMs?: number;
            retryBackoffMult?: number;
            signingSecret?: string | null;
            timeoutMs?: number;
            transformation?: string | null;
            /** Format: uri */
            url?: string;
        };
        UpdateSubAccountSettings: {
            defaultReturnUrl?: string | null;
            theme?: {
                brandName?: string | null;
                dark?: {
                    "--accent-main-100": string;
                    "--accent-main-900": string;
                    "--bg-000": string;
                    "--bg-100": string;
                    "--bg-200": string;
                    "--chart-dead": string;
                    "--chart-delivered": string;
                    "--chart-failed": string;
                    "--warning-100": string;
                } | null;
                /** @enum {string} */
                font?: "inter" | "system" | "serif" | "monospace";
                light?: {
                    "--accent-main-100": string;
                    "--accent-main-900": string;
                    "--bg-000": string;
                    "--bg-100": string;
                    "--bg-200": string;
                    "--chart-dead": string;
                    "--chart-delivered": string;
                    "--chart-failed": string;
                    "--warning-100": string;
                } | null;
                logo?: string | null;
            } | null;
        };
        UsageHistory: {
            data: {
                attempts: number;
                events: number;
                /** @description in UTC, as 2026-11 */
                month: string;
            }[];
        };
        VerifyEmail: {
            token: string;
        };
        VerifyInbound: {
            /** @description exactly as it was sent */
            body: string;
            headers: {
                [key: string]: string;
            };
            /**
             * @default POST
             * @enum {string}
             */
            method: "GET" | "HEAD" | "POST";
            url?: string;
        };
        VerifyMfa: {
            code?: string;
            recoveryCode?: string;
        };
        VersionDiff: {
            changes: {
                field: string;
                from: unknown;
                to: unknown;
            }[];
            v1: number;
            v2: number;
        };
    };
    responses: {
        /** @description ALREADY_CONSUMED */
        ALREADY_CONSUMED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "ALREADY_CONSUMED";
                };
            };
        };
        /** @description BAD_REQUEST */
        BAD_REQUEST: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "BAD_REQUEST";
                };
            };
        };
        /** @description BATCH_TOO_LARGE */
        BATCH_TOO_LARGE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "BATCH_TOO_LARGE";
                };
            };
        };
        /** @description CONFLICT */
        CONFLICT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "CONFLICT";
                };
            };
        };
        /** @description DESTINATION_BLOCKED */
        DESTINATION_BLOCKED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "DESTINATION_BLOCKED";
                };
            };
        };
        /** @description DUPLICATE_EVENT */
        DUPLICATE_EVENT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "DUPLICATE_EVENT";
                };
            };
        };
        /** @description EMAIL_NOT_VERIFIED */
        EMAIL_NOT_VERIFIED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "EMAIL_NOT_VERIFIED";
                };
            };
        };
        /** @description FORBIDDEN */
        FORBIDDEN: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "FORBIDDEN";
                };
            };
        };
        /** @description INTERNAL */
        INTERNAL: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INTERNAL";
                };
            };
        };
        /** @description INVALID_STATE */
        INVALID_STATE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_STATE";
                };
            };
        };
        /** @description INVALID_TOKEN */
        INVALID_TOKEN: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_TOKEN";
                };
            };
        };
        /** @description METHOD_NOT_ALLOWED */
        METHOD_NOT_ALLOWED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "METHOD_NOT_ALLOWED";
                };
            };
        };
        /** @description MFA_REQUIRED */
        MFA_REQUIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "MFA_REQUIRED";
                };
            };
        };
        /** @description MISSING_RETURN_URL */
        MISSING_RETURN_URL: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "MISSING_RETURN_URL";
                };
            };
        };
        /** @description NOT_FOUND */
        NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "NOT_FOUND";
                };
            };
        };
        /** @description PAYLOAD_TOO_LARGE */
        PAYLOAD_TOO_LARGE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        /** @description PLAN_REQUIRED */
        PLAN_REQUIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "PLAN_REQUIRED";
                };
            };
        };
        /** @description QUOTA_EXCEEDED */
        QUOTA_EXCEEDED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "QUOTA_EXCEEDED";
                };
            };
        };
        /** @description RATE_LIMITED */
        RATE_LIMITED: {
            headers: {
                /** @description Seconds */
                "Retry-After"?: number;
                /** @description Requests a second */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left at once */
                "X-RateLimit-Remaining"?: number;
                /** @description Unix seconds when all are back */
                "X-RateLimit-Reset"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "RATE_LIMITED";
                };
            };
        };
        /** @description The error as RFC 7644 has it */
        SCIM_ERROR: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": {
                    detail: string;
                    schemas: string[];
                    scimType?: string;
                    status: string;
                };
            };
        };
        /** @description SESSION_EXPIRED */
        SESSION_EXPIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SESSION_EXPIRED";
                };
            };
        };
        /** @description SIGNATURE_INVALID */
        SIGNATURE_INVALID: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SIGNATURE_INVALID";
                };
            };
        };
        /** @description SSO_REQUIRED */
        SSO_REQUIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SSO_REQUIRED";
                };
            };
        };
        /** @description UNAUTHORIZED */
        UNAUTHORIZED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNAUTHORIZED";
                };
            };
        };
        /** @description UNAVAILABLE */
        UNAVAILABLE: {
            headers: {
                /** @description Seconds */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNAVAILABLE";
                };
            };
        };
        /** @description UNSUPPORTED_MEDIA_TYPE */
        UNSUPPORTED_MEDIA_TYPE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNSUPPORTED_MEDIA_TYPE";
                };
            };
        };
        /** @description VALIDATION_ERROR */
        VALIDATION_ERROR: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "VALIDATION_ERROR";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createAlertRuleFromText: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Too many failures",
                 *       "condition": "failure_rate > 5 over 5m",
                 *       "connectorName": "ops-chat"
                 *     }
                 */
                "application/json": components["schemas"]["CreateAlertRuleFromText"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    evaluateAlertRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsEvaluated"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listAlertHistory: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                ruleId?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertHistoryPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listAlertRules: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRulePage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Too many failures",
                 *       "condition": {
                 *         "metric": "failure_rate",
                 *         "operator": "gt",
                 *         "value": 5,
                 *         "window": "5m"
                 *       },
                 *       "action": {
                 *         "type": "slack",
                 *         "webhookUrl": "https://hooks.slack.com/services/T000/B000/XXXX",
                 *         "message": "{{.rule}}: {{.value}} is over {{.threshold}}"
                 *       },
                 *       "cooldown": "15m"
                 *     }
                 */
                "application/json": components["schemas"]["CreateAlertRule"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cooldown": "30m"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAlertRule"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    disableAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    enableAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    testAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationTested"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    previewAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "condition": {
                 *         "metric": "failure_rate",
                 *         "operator": "gt",
                 *         "value": 5,
                 *         "window": "5m"
                 *       },
                 *       "hours": 24
                 *     }
                 */
                "application/json": components["schemas"]["PreviewAlertRule"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertPreview"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEndpointHealth: {
        parameters: {
            query?: {
                endpointId?: string;
                from?: string;
                to?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetEndpointHealthAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getAnalyticsFailures: {
        parameters: {
            query?: {
                endpointId?: string;
                from?: string;
                to?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAnalyticsFailuresAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getAnalyticsLatency: {
        parameters: {
            query?: {
                endpointId?: string;
                from?: string;
                to?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAnalyticsLatencyAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getAnalyticsOutcomes: {
        parameters: {
            query?: {
                endpointId?: string;
                from?: string;
                to?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAnalyticsOutcomesAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getAnalyticsSummary: {
        parameters: {
            query?: {
                endpointId?: string;
                from?: string;
                to?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAnalyticsSummaryAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getAnalyticsThroughput: {
        parameters: {
            query?: {
                endpointId?: string;
                from?: string;
                to?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAnalyticsThroughputAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "billing service",
                 *       "scopes": [
                 *         "events:write"
                 *       ],
                 *       "rateLimit": 100
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                action?: string;
                actor?: string;
                cursor?: string;
                from?: string;
                limit?: number;
                resource?: string;
                to?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditLogsAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listAuthAudit: {
        parameters: {
            query?: {
                cursor?: string;
                event?: string;
                from?: string;
                limit?: number;
                subject?: string;
                to?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuthAuditAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSubscriptionAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    checkOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "planId": "growth",
                 *       "cycle": "annual"
                 *     }
                 */
                "application/json": components["schemas"]["CheckOut"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckOutAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listInvoices: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInvoicesAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getBillingOverview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBillingOverviewAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listBillingPlans: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBillingPlansAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    openBillingPortal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckOutAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    previewPlanChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "planId": "growth",
                 *       "cycle": "annual"
                 *     }
                 */
                "application/json": components["schemas"]["CheckOut"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewPlanChangeAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    resumeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSubscriptionAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    dropScheduledChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Stripe's signature of the body, at most 5 minutes old */
                "Stripe-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiveStripeEventAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSubscriptionAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    changePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "planId": "growth",
                 *       "cycle": "annual"
                 *     }
                 */
                "application/json": components["schemas"]["CheckOut"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSubscriptionAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listConnectors: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ops-chat",
                 *       "type": "slack",
                 *       "config": {
                 *         "webhookUrl": "https://hooks.slack.com/services/T000/B000/XXXX"
                 *       },
                 *       "template": {
                 *         "text": "{{.event_type}}: {{.message}}"
                 *       },
                 *       "eventTypes": [
                 *         "order.*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateConnector"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            /** @description CONFLICT, INVALID_STATE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "INVALID_STATE";
                    };
                };
            };
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "template": {
                 *         "text": "{{.event_type}} {{json .payload}}"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateConnector"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    testConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationTested"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                end?: string;
                endpoint_id?: string;
                event_type?: string;
                limit?: number;
                offset?: number;
                outcome?: "success" | "failure" | "timeout";
                range?: "1h" | "24h" | "7d" | "30d";
                start?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttemptDetail"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEgressIps: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressIps"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEndpoints: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hook",
                 *       "eventTypes": [
                 *         "order.*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateEndpoint"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointCreated"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeoutMs": 10000
                 *     }
                 */
                "application/json": components["schemas"]["UpdateEndpoint"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    setEndpointMtls: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "certPem": "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n",
                 *       "keyPem": "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n"
                 *     }
                 */
                "application/json": components["schemas"]["SetMtls"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    removeEndpointMtls: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    pauseEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    replayEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-01-01T00:00:00Z",
                 *       "status": [
                 *         "dead"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateReplay"];
            };
        };
        responses: {
            /** @description Begun */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    resumeEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    rotateEndpointSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "gracePeriodMinutes": 60
                 *     }
                 */
                "application/json": components["schemas"]["RotateSecret"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointRotated"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    testEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "eventType": "order.paid",
                 *       "payload": {
                 *         "orderId": "o_1",
                 *         "amount": 1250
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestEndpoint"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSummary"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEndpointVersions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointVersionPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEndpointVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointVersion"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    rollbackEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    diffEndpointVersions: {
        parameters: {
            query: {
                v1: number;
                v2: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionDiff"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEntitlements: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entitlements"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypePage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "order.paid",
                 *       "schema": {
                 *         "type": "object",
                 *         "required": [
                 *           "orderId"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateEventType"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventType"];
                };
            };
            /** @description BAD_REQUEST, VALIDATION_ERROR */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "VALIDATION_ERROR";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventType"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "An order was paid",
                 *       "schemaVersion": "2"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateEventType"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventType"];
                };
            };
            /** @description BAD_REQUEST, VALIDATION_ERROR */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "VALIDATION_ERROR";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEventTypeByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventType"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                cursor?: string;
                destination?: string;
                endpointId?: string;
                eventType?: string;
                from?: string;
                limit?: number;
                status?: "queued" | "delivering" | "delivered" | "failed" | "dead";
                to?: string;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 printable ASCII characters; the same key again answers 409 */
                "X-Idempotency-Key": string;
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventType": "order.paid",
                 *       "payload": {
                 *         "orderId": "o_1",
                 *         "amount": 1250
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateEvent"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventCreated"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED, VALIDATION_ERROR */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED" | "VALIDATION_ERROR";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            402: components["responses"]["QUOTA_EXCEEDED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    editEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payload": {
                 *         "orderId": "o_1",
                 *         "amount": 1300
                 *       },
                 *       "replay": true
                 *     }
                 */
                "application/json": components["schemas"]["EditEvent"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED, VALIDATION_ERROR */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED" | "VALIDATION_ERROR";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEventDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDeliveries"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    explainEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventExplanation"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    replayEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         {
                 *           "idempotencyKey": "k-1",
                 *           "destination": "https://example.com/hook",
                 *           "payload": {
                 *             "n": 1
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateBatch"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchCreated"];
                };
            };
            /** @description BAD_REQUEST, VALIDATION_ERROR, BATCH_TOO_LARGE, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "VALIDATION_ERROR" | "BATCH_TOO_LARGE" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            402: components["responses"]["QUOTA_EXCEEDED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["DUPLICATE_EVENT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    retryBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "dead",
                 *       "limit": 100
                 *     }
                 */
                "application/json": components["schemas"]["RetryBatch"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchRetried"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm": "the name of the workspace"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteWorkspace"];
            };
        };
        responses: {
            /** @description Begun */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportSubjectAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    eraseSubject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "data-subject@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ExportSubject"];
            };
        };
        responses: {
            /** @description Begun */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportSubjectAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    exportSubject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "data-subject@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ExportSubject"];
            };
        };
        responses: {
            /** @description Begun */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportSubjectAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    exportWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportWorkspaceAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSubjectJobs: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSubjectJobsAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSubjectJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportSubjectAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    downloadSubjectExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadSubjectExportAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listInboundEndpoints: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundEndpointPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createInboundEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Payments",
                 *       "source": "stripe",
                 *       "sourceConfig": {
                 *         "secret": "whsec_…"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateInboundEndpoint"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundEndpoint"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getInboundEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundEndpoint"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteInboundEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateInboundEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "inactive"
                 *     }
                 */
                "application/json": components["schemas"]["PatchInboundEndpoint"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundEndpoint"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    verifyInbound: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "headers": {
                 *         "Stripe-Signature": "t=1,v1=00"
                 *       },
                 *       "body": "{\"type\":\"charge.paid\"}"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyInbound"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundVerified"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listInboundPresets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundPresetPage"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    completeOnboarding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "companyName": "Analytical Engines"
                 *     }
                 */
                "application/json": components["schemas"]["CompleteOnboarding"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getRetention: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRetentionAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateRetention: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventDays": 30,
                 *       "deliveryAttemptDays": null
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRetention"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRetentionAnswer"];
                };
            };
            /** @description BAD_REQUEST, VALIDATION_ERROR */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "VALIDATION_ERROR";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSecurity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecuritySettings"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateSecurity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "requireMfa": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSecurity"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecuritySettings"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getRateLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRateLimitsAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEndpointRateLimit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetEndpointRateLimitAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    pollEvents: {
        parameters: {
            query: {
                endpoint_id: string;
                limit?: number;
                timeout?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PollEventsAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    ackPolled: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpoint_id": "01981f3a-7c00-7000-8000-000000000001",
                 *       "event_ids": [
                 *         "01981f3a-7c00-7000-8000-000000000002"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AckPolled"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AckPolledAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Staging",
                 *       "environment": "staging"
                 *     }
                 */
                "application/json": components["schemas"]["CreateProject"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Live"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateProject"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listScimTokens: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListScimTokensAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createScimToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Okta"
                 *     }
                 */
                "application/json": components["schemas"]["CreateScimToken"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateScimTokenAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteScimToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GlobalSecret"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    rotateSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "gracePeriodMinutes": 60
                 *     }
                 */
                "application/json": components["schemas"]["RotateSecret"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GlobalSecret"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSsoConnections: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSsoConnectionsAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createSsoConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "oidc",
                 *       "name": "Okta",
                 *       "domains": [
                 *         "example.com"
                 *       ],
                 *       "oidc": {
                 *         "issuer": "https://example.okta.com",
                 *         "clientId": "0oa1b2c3d4",
                 *         "clientSecret": "the-secret-of-the-client"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateSsoConnection"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSsoConnectionAnswer"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            /** @description CONFLICT, INVALID_STATE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "INVALID_STATE";
                    };
                };
            };
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSsoConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSsoConnectionAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteSsoConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateSsoConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enforced": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSsoConnection"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSsoConnectionAnswer"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            /** @description CONFLICT, INVALID_STATE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "INVALID_STATE";
                    };
                };
            };
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSsoDomains: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSsoDomainsAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createSsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "example.com"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSsoDomain"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSsoDomainAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            /** @description CONFLICT, INVALID_STATE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "INVALID_STATE";
                    };
                };
            };
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteSsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    verifySsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSsoDomainAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStatsAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSubAccountSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSubAccountSettingsAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateSubAccountSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "defaultReturnUrl": "https://app.example.com/webhooks",
                 *       "theme": {
                 *         "brandName": "Acme"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSubAccountSettings"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSubAccountSettingsAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSubAccounts: {
        parameters: {
            query?: {
                cursor?: string;
                externalId?: string;
                limit?: number;
                q?: string;
                status?: "active" | "deactivated";
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSubAccountsAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createSubAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "externalId": "customer-42",
                 *       "name": "Ada & Co",
                 *       "metadata": {
                 *         "tier": "gold"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateSubAccount"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSubAccountAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            /** @description CONFLICT, INVALID_STATE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "INVALID_STATE";
                    };
                };
            };
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSubAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSubAccountAnswer"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deactivateSubAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateSubAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada, Byron & Co"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSubAccount"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSubAccountAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSubAccountSessions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubAccountSessionPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    mintSubAccountSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expiresIn": 3600,
                 *       "scopes": [
                 *         "endpoints:read",
                 *         "events:read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MintSubAccountSession"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubAccountSessionMinted"];
                };
            };
            /** @description BAD_REQUEST, MISSING_RETURN_URL */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "MISSING_RETURN_URL";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    revokeSubAccountSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    revokeSubAccountSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                id: string;
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listTeam: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMember"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMember"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "role": "editor"
                 *     }
                 */
                "application/json": components["schemas"]["InviteMember"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMember"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "EMAIL_NOT_VERIFIED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            /** @description CONFLICT, INVALID_STATE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "INVALID_STATE";
                    };
                };
            };
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    testTransformation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transformation": "function transform(event) { return { payload: { order: event.payload.orderId } } }",
                 *       "event": {
                 *         "eventType": "order.paid",
                 *         "payload": {
                 *           "orderId": "o_1",
                 *           "amount": 1250
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestTransformation"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestTransformationAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getCurrentUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentUsage"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getUsageHistory: {
        parameters: {
            query?: {
                months?: number;
            };
            header?: {
                /** @description Confines the request to one project; without it, all projects of the workspace are read and the default one is written. */
                "X-Project-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageHistory"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    acceptInvite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Vb5cE0yN1kQ2sXh8tR7uJ4wZ3aL6mP9oI_dFgKjHlS0",
                 *       "name": "Ada King",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptInvite"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogInAnswer"];
                };
            };
            /** @description BAD_REQUEST, INVALID_TOKEN */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_TOKEN";
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            /** @description FORBIDDEN, SSO_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "SSO_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "password of before",
                 *       "newPassword": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["EmailOnly"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    inviteStatus: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteStatus"];
                };
            };
            /** @description BAD_REQUEST, INVALID_TOKEN */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_TOKEN";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LogIn"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogInAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            /** @description FORBIDDEN, SSO_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "SSO_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada King"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMe"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthUser"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    disableMfa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["DisableMfa"];
            };
        };
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    activateMfa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["MfaCode"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    enrollMfa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MfaEnrolment"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    mfaPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    mfaPasskeyVerify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response": {
                 *         "id": "AQIDBAUGBwg",
                 *         "rawId": "AQIDBAUGBwg",
                 *         "type": "public-key",
                 *         "response": {
                 *           "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
                 *           "authenticatorData": "SZYN5YgOjGh0NBcP",
                 *           "signature": "MEUCIQDx"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AssertPasskey"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["MfaCode"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    verifyMfa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyMfa"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyList"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    registerPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Laptop",
                 *       "response": {
                 *         "id": "AQIDBAUGBwg",
                 *         "rawId": "AQIDBAUGBwg",
                 *         "type": "public-key",
                 *         "response": {
                 *           "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
                 *           "attestationObject": "o2NmbXRkbm9uZQ"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RegisterPasskey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            /** @description BAD_REQUEST, INVALID_TOKEN */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_TOKEN";
                    };
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            /** @description CONFLICT, INVALID_STATE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "INVALID_STATE";
                    };
                };
            };
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    passkeyLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response": {
                 *         "id": "AQIDBAUGBwg",
                 *         "rawId": "AQIDBAUGBwg",
                 *         "type": "public-key",
                 *         "response": {
                 *           "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
                 *           "authenticatorData": "SZYN5YgOjGh0NBcP",
                 *           "signature": "MEUCIQDx"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AssertPasskey"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            /** @description FORBIDDEN, SSO_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "SSO_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    passkeyLoginOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    passkeyCreationOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSsoProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSsoProvidersAnswer"];
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["EmailOnly"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Vb5cE0yN1kQ2sXh8tR7uJ4wZ3aL6mP9oI_dFgKjHlS0",
                 *       "newPassword": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            /** @description BAD_REQUEST, INVALID_TOKEN */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_TOKEN";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "apiKey": "ph_live_…"
                 *     }
                 */
                "application/json": components["schemas"]["SessionFromKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createSessionFromLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Vb5cE0yN1kQ2sXh8tR7uJ4wZ3aL6mP9oI_dFgKjHlS0"
                 *     }
                 */
                "application/json": components["schemas"]["SessionFromLink"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description BAD_REQUEST, INVALID_TOKEN */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_TOKEN";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    switchSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "019aa000-0000-7000-8000-000000000000"
                 *     }
                 */
                "application/json": components["schemas"]["SwitchSession"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, MFA_REQUIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "MFA_REQUIRED";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery",
                 *       "companyName": "Analytical Engines"
                 *     }
                 */
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUp"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    finishSsoLogin: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                iss?: string;
                state?: string;
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go on at `Location` */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    startSsoLogin: {
        parameters: {
            query?: {
                return?: string;
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go on at `Location` */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    discoverSso: {
        parameters: {
            query: {
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoverSsoAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    finishSamlLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clientID: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "SAMLResponse": "PHNhbWxwOlJlc3BvbnNlLz4=",
                 *       "RelayState": "as-it-was-sent"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["FinishSamlLogin"];
            };
        };
        responses: {
            /** @description Go on at `Location` */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    startSamlLogin: {
        parameters: {
            query?: {
                return?: string;
            };
            header?: never;
            path: {
                clientID: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go on at `Location` */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSamlMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clientID: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Vb5cE0yN1kQ2sXh8tR7uJ4wZ3aL6mP9oI_dFgKjHlS0"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyEmail"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailVerified"];
                };
            };
            /** @description BAD_REQUEST, INVALID_TOKEN */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_TOKEN";
                    };
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    answerHandshake: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pathSuffix: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer to a handshake, as the platform requires it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["SIGNATURE_INVALID"];
            402: components["responses"]["QUOTA_EXCEEDED"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    receiveInbound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pathSuffix: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description The answer to a handshake, as the platform requires it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description null: the script dropped the event */
                        id: string | null;
                    };
                };
            };
            401: components["responses"]["SIGNATURE_INVALID"];
            402: components["responses"]["QUOTA_EXCEEDED"];
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getPortalPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    searchScimUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": "userName eq \"ada@example.com\""
                 *     }
                 */
                "application/json": components["schemas"]["SearchScimUsers"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            400: components["responses"]["SCIM_ERROR"];
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            413: components["responses"]["SCIM_ERROR"];
            415: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    listScimGroups: {
        parameters: {
            query?: {
                attributes?: string;
                count?: string;
                excludedAttributes?: string;
                filter?: string;
                startIndex?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            400: components["responses"]["SCIM_ERROR"];
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    listScimResourceTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    getScimResourceType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    listScimSchemas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    getScimSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    getScimConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    listScimUsers: {
        parameters: {
            query?: {
                attributes?: string;
                count?: string;
                excludedAttributes?: string;
                filter?: string;
                startIndex?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            400: components["responses"]["SCIM_ERROR"];
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    createScimUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schemas": [
                 *         "urn:ietf:params:scim:schemas:core:2.0:User"
                 *       ],
                 *       "userName": "ada@example.com",
                 *       "name": {
                 *         "givenName": "Ada",
                 *         "familyName": "Byron"
                 *       },
                 *       "active": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateScimUser"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            400: components["responses"]["SCIM_ERROR"];
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            409: components["responses"]["SCIM_ERROR"];
            413: components["responses"]["SCIM_ERROR"];
            415: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    getScimUser: {
        parameters: {
            query?: {
                attributes?: string;
                excludedAttributes?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            400: components["responses"]["SCIM_ERROR"];
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    replaceScimUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schemas": [
                 *         "urn:ietf:params:scim:schemas:core:2.0:User"
                 *       ],
                 *       "userName": "ada@example.com",
                 *       "name": {
                 *         "givenName": "Ada",
                 *         "familyName": "Byron"
                 *       },
                 *       "active": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateScimUser"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            400: components["responses"]["SCIM_ERROR"];
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            409: components["responses"]["SCIM_ERROR"];
            413: components["responses"]["SCIM_ERROR"];
            415: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    deleteScimUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": string;
                };
            };
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            409: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    patchScimUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schemas": [
                 *         "urn:ietf:params:scim:api:messages:2.0:PatchOp"
                 *       ],
                 *       "Operations": [
                 *         {
                 *           "op": "replace",
                 *           "value": {
                 *             "active": false
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PatchScimUser"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["GetScimConfigAnswer"];
                };
            };
            400: components["responses"]["SCIM_ERROR"];
            401: components["responses"]["SCIM_ERROR"];
            404: components["responses"]["SCIM_ERROR"];
            409: components["responses"]["SCIM_ERROR"];
            413: components["responses"]["SCIM_ERROR"];
            415: components["responses"]["SCIM_ERROR"];
            500: components["responses"]["SCIM_ERROR"];
            503: components["responses"]["SCIM_ERROR"];
        };
    };
    getSubAccountLatency: {
        parameters: {
            query?: {
                endpointId?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAnalyticsLatencyAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSubAccountOutcomes: {
        parameters: {
            query?: {
                endpointId?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAnalyticsOutcomesAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSubAccountSummary: {
        parameters: {
            query?: {
                endpointId?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAnalyticsSummaryAnswer"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    exchangeSubAccountToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIwIn0.0000000000000000000000000000000000000000000"
                 *     }
                 */
                "application/json": components["schemas"]["ExchangeToken"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSession"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["ALREADY_CONSUMED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSubAccountEndpoints: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEndpointPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createSubAccountEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hook",
                 *       "eventTypes": [
                 *         "order.*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateSubAccountEndpoint"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEndpointCreated"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSubAccountEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEndpoint"];
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteSubAccountEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone; no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateSubAccountEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeoutMs": 10000
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSubAccountEndpoint"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEndpoint"];
                };
            };
            /** @description BAD_REQUEST, DESTINATION_BLOCKED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "DESTINATION_BLOCKED";
                    };
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSubAccountEndpointDeliveries: {
        parameters: {
            query?: {
                end?: string;
                event_type?: string;
                limit?: number;
                offset?: number;
                outcome?: "success" | "failure" | "timeout";
                range?: "1h" | "24h" | "7d" | "30d";
                start?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    pauseSubAccountEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEndpoint"];
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    replaySubAccountEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-01-01T00:00:00Z",
                 *       "status": [
                 *         "dead"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateReplay"];
            };
        };
        responses: {
            /** @description Begun */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    resumeSubAccountEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEndpoint"];
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    rotateSubAccountEndpointSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "gracePeriodMinutes": 60
                 *     }
                 */
                "application/json": components["schemas"]["RotateSecret"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEndpointRotated"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    testSubAccountEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "eventType": "order.paid",
                 *       "payload": {
                 *         "orderId": "o_1",
                 *         "amount": 1250
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestEndpoint"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEventSummary"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSubAccountEventTypes: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEventTypePage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSubAccountEvents: {
        parameters: {
            query?: {
                cursor?: string;
                destination?: string;
                endpointId?: string;
                eventType?: string;
                from?: string;
                limit?: number;
                status?: "queued" | "delivering" | "delivered" | "failed" | "dead";
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEventPage"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSubAccountEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEventDetail"];
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSubAccountEventDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDeliveries"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    explainSubAccountEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventExplanation"];
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    retrySubAccountEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalEventDetail"];
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["INVALID_STATE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getSubAccountReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getPortalSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSession"];
                };
            };
            /** @description UNAUTHORIZED, SESSION_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED" | "SESSION_EXPIRED";
                    };
                };
            };
            /** @description FORBIDDEN, PLAN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN" | "PLAN_REQUIRED";
                    };
                };
            };
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
}
