# One image for all services: `docker run … posthorn dispatcher`. Each stage can be replaced by a
# local image of the same kind, and pinned by digest: --build-arg RUNTIME_IMAGE=…@sha256:…
ARG BUILD_IMAGE=docker.io/library/node:24.21.0-bookworm-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
# Prisma's generator needs no schema engine, and would download one.
ENV CI=true PRISMA_SCHEMA_ENGINE_BINARY=/bin/true CHECKPOINT_DISABLE=1
ARG PNPM_VERSION=12.21.0
ARG TINI_VERSION=0.19.0-1+b3
RUN apt-get update \
  && apt-get install --yes --no-install-recommends "tini=${TINI_VERSION}" \
  && rm -rf /var/lib/apt/lists/* \
  && npm install --global "pnpm@${PNPM_VERSION}"
WORKDIR /build
# The lockfile alone decides what is fetched: a change of the code fetches nothing again.
COPY .npmrc pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch
COPY . .
RUN pnpm install --offline --frozen-lockfile --filter "@posthorn/standalone..." --filter @posthorn/web \
  && pnpm --filter @posthorn/store exec prisma generate \
  && pnpm --filter @posthorn/web build \
  && node deploy/image/assemble.mjs . /app \
  && node deploy/image/sbom.mjs . /app > /app/sbom.cdx.json

FROM ${RUNTIME_IMAGE}
COPY --from=build /usr/bin/tini-static /usr/bin/tini
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
# Any user can run it, and it writes nothing outside /tmp.
USER 10001:10001
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/tini", "--", "/usr/local/bin/node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=32", "--heap-growing-percent=50", "--no-allocation-site-pretenuring", "--v8-pool-size=1", "/app/scripts/posthorn.mjs"]
CMD ["--help"]
