-- People, sessions, single sign-on, provisioning, plans, usage and mail.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

-- A user without a password signs in by single sign-on or by a passkey. The version before always
-- writes one. `email` is kept as it was typed; it is compared in lower case.
ALTER TABLE users
  ALTER COLUMN password_hash DROP NOT NULL,
  ADD COLUMN name text,
  ADD COLUMN email_verified_at timestamptz,
  -- Whether a second factor is asked for after the password.
  ADD COLUMN mfa_enabled boolean NOT NULL DEFAULT false,
  ADD COLUMN totp_secret text,
  ADD COLUMN totp_activated_at timestamptz,
  -- The last time step whose code was taken: none at or before it is taken again.
  ADD COLUMN totp_last_step bigint,
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
-- Users of before are admins that an operator named in the settings.
UPDATE users SET email_verified_at = created_at;

ALTER TABLE memberships
  ADD COLUMN status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deactivated')),
  ADD COLUMN source text NOT NULL DEFAULT 'signup'
    CHECK (source IN ('signup', 'invite', 'sso', 'scim')),
  ADD COLUMN last_login_at timestamptz,
  ADD COLUMN scim_external_id text,
  -- What the identity provider sent beside the columns: names, displayName, emails.
  ADD COLUMN scim_attributes jsonb,
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX memberships_user ON memberships (user_id);
CREATE UNIQUE INDEX memberships_external_id ON memberships (tenant_id, scim_external_id)
  WHERE scim_external_id IS NOT NULL;

ALTER TABLE tenants
  ADD COLUMN onboarded_at timestamptz,
  ADD COLUMN require_mfa boolean NOT NULL DEFAULT false;

-- A session holds one user and one tenant, or one API key. The token itself is kept nowhere.
CREATE TABLE user_sessions (
  token_hash bytea PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  api_key_id uuid,
  ip text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((user_id IS NULL) <> (api_key_id IS NULL)),
  FOREIGN KEY (tenant_id, api_key_id) REFERENCES api_keys (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX user_sessions_user ON user_sessions (user_id);
CREATE INDEX user_sessions_key ON user_sessions (tenant_id, api_key_id);
CREATE INDEX user_sessions_expiry ON user_sessions (expires_at);

-- Links in mails, logins that wait for their second factor, challenges. Each is taken once, by the
-- statement that deletes it.
CREATE TABLE one_time_tokens (
  token_hash bytea PRIMARY KEY,
  purpose text NOT NULL,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  tenant_id uuid REFERENCES tenants (id) ON DELETE CASCADE,
  data jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX one_time_tokens_user ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_expiry ON one_time_tokens (expires_at);

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkeys (
  credential_id bytea PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

CREATE TABLE invitations (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'editor', 'viewer')),
  token_hash bytea NOT NULL UNIQUE,
  -- `user:<id>` or `api-key:<id>`.
  invited_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX invitations_open ON invitations (tenant_id, lower(email))
  WHERE accepted_at IS NULL AND revoked_at IS NULL;

CREATE TABLE sso_connections (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('oidc', 'saml')),
  name text NOT NULL,
  slug text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  domains text[] NOT NULL DEFAULT '{}',
  enforced boolean NOT NULL DEFAULT false,
  default_role text NOT NULL DEFAULT 'viewer' CHECK (default_role IN ('admin', 'editor', 'viewer')),
  break_glass_user_id uuid,
  -- The part of its type, without secrets.
  config jsonb NOT NULL,
  client_secret text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (id),
  UNIQUE (tenant_id, slug)
);

CREATE TABLE sso_domains (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  domain text NOT NULL,
  -- What the TXT record must hold.
  proof text NOT NULL,
  verified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, domain)
);
-- A domain belongs to the workspace that has proved it.
CREATE UNIQUE INDEX sso_domains_verified ON sso_domains (domain) WHERE verified_at IS NOT NULL;

-- Who somebody at an identity provider is here. `connection` is a connection's id, or the name of a
-- provider of the whole installation.
CREATE TABLE sso_identities (
  connection text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz,
  PRIMARY KEY (connection, issuer, subject)
);
CREATE INDEX sso_identities_user ON sso_identities (user_id);

-- Sign-ins that are under way at an identity provider. `state_hash` is of OAuth's state or SAML's
-- RelayState, `browser_hash` of the cookie that binds the flow to its browser.
CREATE TABLE sso_flows (
  state_hash bytea PRIMARY KEY,
  connection text NOT NULL,
  browser_hash bytea,
  -- Nonce, PKCE verifier, request id, return path.
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX sso_flows_expiry ON sso_flows (expires_at);

CREATE TABLE saml_assertions (
  connection_id uuid NOT NULL,
  assertion_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, assertion_id)
);
CREATE INDEX saml_assertions_expiry ON saml_assertions (expires_at);

CREATE TABLE scim_tokens (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);

-- A tenant without a subscription in force has the plan of the setting DEFAULT_PLAN.
CREATE TABLE subscriptions (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  plan text NOT NULL,
  cycle text NOT NULL CHECK (cycle IN ('monthly', 'annual')),
  -- The billing provider's word.
  status text NOT NULL,
  customer_id text,
  subscription_id text,
  current_period_start timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean NOT NULL DEFAULT false,
  scheduled_change jsonb,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX subscriptions_customer ON subscriptions (customer_id)
  WHERE customer_id IS NOT NULL;

-- Events of the billing provider that were handled: a repeated one does nothing.
CREATE TABLE billing_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now()
);

-- Each process adds to rows of its own, so that none is fought over. Once a day is over it is counted
-- from the events themselves into the row of process '', and the others go.
CREATE TABLE usage_days (
  tenant_id uuid NOT NULL,
  day date NOT NULL,
  process text NOT NULL,
  events bigint NOT NULL DEFAULT 0,
  attempts bigint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, day, process)
) WITH (fillfactor = 70);
CREATE INDEX usage_days_day ON usage_days (day) WHERE process <> '';

-- Warnings that were sent: one for each month and threshold.
CREATE TABLE quota_warnings (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  month date NOT NULL,
  percent integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, month, percent)
);

-- Mails are written with the change that causes them and sent by a worker. `data` may hold a token:
-- it is emptied once the mail is sent or given up.
CREATE TABLE mails (
  id uuid PRIMARY KEY,
  tenant_id uuid REFERENCES tenants (id) ON DELETE CASCADE,
  recipient text NOT NULL,
  kind text NOT NULL,
  data jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- null: sent or given up.
  due_at timestamptz DEFAULT now(),
  sent_at timestamptz,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL;

-- Who signed in, how, and what went wrong. `tenant_id` is null where nobody can tell the workspace.
CREATE TABLE auth_audit_logs (
  id uuid NOT NULL,
  tenant_id uuid,
  event text NOT NULL,
  user_id uuid,
  -- An e-mail address, or the subject at an identity provider.
  subject text,
  ip text,
  user_agent text,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
) PARTITION BY RANGE (id);
-- There is no key by the id alone: without statistics a planner would read all workspaces by it.
CREATE INDEX auth_audit_logs_tenant ON auth_audit_logs (tenant_id, id);
