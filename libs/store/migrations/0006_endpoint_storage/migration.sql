-- What an endpoint's storage sink is written to with: both parts in one sealed text, and what may be shown of them.
ALTER TABLE endpoints
  ADD COLUMN storage_credentials text,
  ADD COLUMN storage_key_hint text,
  ADD CONSTRAINT endpoints_storage_hint CHECK ((storage_credentials IS NULL) = (storage_key_hint IS NULL));
