-- How an endpoint's deliveries reach it, beside its configuration: statements of the pipeline ask for it with each
-- delivery, and a configuration may be tens of kilobytes that have to be unpacked first.
ALTER TABLE endpoints ADD COLUMN delivery_mode text NOT NULL
  GENERATED ALWAYS AS (coalesce(config ->> 'deliveryMode', 'push')) STORED;

COMMENT ON COLUMN due.kind IS '0: an event to fan out; 1: a delivery; 2: a target''s backlog; 4: a delivery that a poll has fetched';
COMMENT ON COLUMN parked.priority IS '0: visible to polls of its endpoint, in the order of acceptance';
