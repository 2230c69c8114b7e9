-- Alert rules, what they notified of, connectors, and the notifications that wait to be sent.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

CREATE TABLE connectors (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  -- null: the whole workspace's.
  project_id uuid,
  name text NOT NULL,
  type text NOT NULL,
  -- JSON, sealed as a whole.
  config text NOT NULL,
  template jsonb,
  -- Patterns of the events that it is sent besides what rules notify of; empty: none.
  event_types text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX connectors_name ON connectors (tenant_id, name);

CREATE TABLE alert_rules (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  -- null: it counts what happened in all of the workspace's projects.
  project_id uuid,
  endpoint_id uuid,
  name text NOT NULL,
  description text,
  enabled boolean NOT NULL,
  metric text NOT NULL,
  operator text NOT NULL,
  threshold float8 NOT NULL,
  window_text text NOT NULL,
  window_ms bigint NOT NULL,
  cooldown_text text NOT NULL,
  cooldown_ms bigint NOT NULL,
  -- JSON, sealed as a whole. Exactly one of this and the next is set.
  action text,
  connector_name text,
  -- What the actions that lead to one place have in common.
  action_target uuid,
  state text NOT NULL DEFAULT 'ok' CHECK (state IN ('ok', 'firing')),
  state_since timestamptz NOT NULL DEFAULT now(),
  -- Grows each time it begins to fire.
  episode int NOT NULL DEFAULT 0,
  -- How often this episode was notified of, and when the last firing was, of any episode.
  notified int NOT NULL DEFAULT 0,
  notified_at timestamptz,
  last_value float8,
  last_evaluated_at timestamptz,
  -- null: it is not enabled.
  next_eval_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX alert_rules_due ON alert_rules (next_eval_at) WHERE next_eval_at IS NOT NULL;
CREATE INDEX alert_rules_connector ON alert_rules (tenant_id, connector_name)
  WHERE connector_name IS NOT NULL;

-- One row a notification. It outlives its rule.
CREATE TABLE alert_history (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  project_id uuid,
  rule_id uuid NOT NULL,
  rule_name text NOT NULL,
  status text NOT NULL CHECK (status IN ('firing', 'resolved')),
  episode int NOT NULL,
  sequence int NOT NULL,
  -- null: there was no data.
  value float8,
  threshold float8 NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  delivery text NOT NULL DEFAULT 'pending' CHECK (delivery IN ('pending', 'sent', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  error text,
  PRIMARY KEY (tenant_id, id)
);
-- However many instances evaluate a rule, and however often, each is notified once.
CREATE UNIQUE INDEX alert_history_once
  ON alert_history (tenant_id, rule_id, episode, status, sequence);
CREATE INDEX alert_history_rule ON alert_history (tenant_id, rule_id, id);
CREATE INDEX alert_history_project ON alert_history (tenant_id, project_id, id)
  WHERE project_id IS NOT NULL;
CREATE INDEX alert_history_at ON alert_history (at);

-- What waits to be sent: of a rule (with its row in the history), or an event for a connector.
CREATE TABLE alert_notifications (
  tenant_id uuid NOT NULL,
  -- Of a rule's the id of its row in the history.
  id uuid NOT NULL,
  -- Those with one target are sent one after the other, and wait together while it is down.
  target uuid NOT NULL,
  due_at timestamptz NOT NULL DEFAULT now(),
  attempts int NOT NULL DEFAULT 0,
  connector_id uuid,
  event_id uuid,
  rule_id uuid,
  -- The rule's action as it was, sealed in the place of the rule's own.
  action text,
  -- What the message says of the rule.
  alert jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX alert_notifications_due ON alert_notifications (tenant_id, target, due_at, id);

-- A target that somebody is sending to, or that is left alone for a while.
CREATE TABLE notification_targets (
  tenant_id uuid NOT NULL,
  target uuid NOT NULL,
  blocked_until timestamptz NOT NULL,
  -- Attempts that failed one after the other.
  failures int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, target)
);
