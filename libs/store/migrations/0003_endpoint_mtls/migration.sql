-- The client certificate that an endpoint's deliveries present. The key is sealed; the certificate is public.
ALTER TABLE endpoints
  ADD COLUMN mtls_cert text,
  ADD COLUMN mtls_key text,
  ADD CONSTRAINT endpoints_mtls_pair CHECK ((mtls_cert IS NULL) = (mtls_key IS NULL));
