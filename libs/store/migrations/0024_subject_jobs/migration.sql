-- Jobs that export or erase what refers to a person, or delete a whole workspace.
-- Who comes second waits for no longer than this, and the migration is tried again.
SET LOCAL lock_timeout = '2s';

-- Its keys and sessions are refused, and a job removes all of its rows. Null: it is in use.
ALTER TABLE tenants ADD COLUMN deleting_since timestamptz;

-- Without a reference to tenants: the job that deletes a workspace outlives it.
CREATE TABLE subject_jobs (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('export', 'erasure', 'workspace_deletion')),
  -- Sealed, so that an erased address is found nowhere. Null: the whole workspace.
  subject_email text,
  status text NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  done bigint NOT NULL DEFAULT 0,
  -- Null: not yet counted.
  total bigint,
  -- How far it has come; its shape is the runner's.
  position jsonb,
  error text,
  -- Rounds in a row that failed.
  failures integer NOT NULL DEFAULT 0,
  requested_by uuid,
  -- Who works on the job may go on until then; then anybody may take it over. Null: it has ended.
  lease_until timestamptz DEFAULT now(),
  -- Grows with each taking over, and guards every write of whoever works on the job.
  epoch bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX subject_jobs_lease ON subject_jobs (lease_until) WHERE lease_until IS NOT NULL;

-- What an export has found, compressed: rows in JSON, in the order of section and number.
CREATE TABLE subject_export_pieces (
  tenant_id uuid NOT NULL,
  job_id uuid NOT NULL,
  section smallint NOT NULL,
  number integer NOT NULL,
  content bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, job_id, section, number)
);
