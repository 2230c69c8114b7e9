-- For how many days what has ended is kept. null: the plan's default; 0: for ever.
CREATE TABLE retention_settings (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
  event_retention_days integer CHECK (event_retention_days BETWEEN 0 AND 7300),
  delivery_attempt_retention_days integer CHECK (delivery_attempt_retention_days BETWEEN 0 AND 7300),
  audit_log_retention_days integer CHECK (audit_log_retention_days BETWEEN 0 AND 7300),
  auth_audit_retention_days integer CHECK (auth_audit_retention_days BETWEEN 0 AND 7300),
  updated_at timestamptz NOT NULL DEFAULT now()
);
