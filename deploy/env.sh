#!/bin/sh
# Writes .env beside docker-compose.yml with keys and passwords of its own, once: what is there stays.
# Keep the file: without MASTER_KEY the secrets that the database holds cannot be read any more.
set -eu
cd "$(dirname "$0")/.."
if [ -e .env ]; then
  echo ".env is there already: nothing was changed" >&2
  exit 0
fi
random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
umask 077
cat > .env.new <<END
# Read by docker compose. Other settings of docs/settings.md go into posthorn.env beside it.
MASTER_KEY=$(head -c 32 /dev/urandom | base64 | tr -d '\n')
BOOTSTRAP_API_KEY=ph_$(random)
POSTGRES_PASSWORD=$(random)
REDIS_PASSWORD=$(random)
GRAFANA_PASSWORD=$(random)
# Where the world reaches this installation, and the port of this machine that it is on.
PORT=8080
PUBLIC_URL=http://127.0.0.1:8080
END
mv .env.new .env
echo "wrote .env; the first API key is BOOTSTRAP_API_KEY in it" >&2
