-- Which `standalone` works on this database. It has one row.
CREATE TABLE standalone_lease (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  -- Grows with each takeover: what an earlier owner opens afterwards is refused by it.
  epoch integer NOT NULL,
  -- null: its last owner ended in good order.
  owner text,
  -- Grows with each renewal. Whoever waits watches whether it does.
  renewals integer NOT NULL,
  -- The session that renews it; null where a client's session is not one of Postgres, as behind
  -- PgBouncer in transaction mode.
  session_pid integer,
  session_started timestamptz
) WITH (fillfactor = 50);
INSERT INTO standalone_lease (epoch, renewals) VALUES (0, 0);
