/**
 * The configuration of the gateway in docker-compose.yml. It bounds no body: each service refuses
 * one that is too large for its route, with 413.
 */
import { OTHERWISE, type PathRule } from './path-rules.ts'

export function caddyfile(rules: readonly PathRule[]): string {
  const groups: { service: string; patterns: string[] }[] = []
  for (const { service, pattern } of rules) {
    const last = groups.at(-1)
    if (last?.service === service) last.patterns.push(pattern)
    else groups.push({ service, patterns: [pattern] })
  }
  const blocks = groups.map(({ service, patterns }, at) => {
    const inside = patterns.map((pattern) => pattern.slice(1, -1)).join('|')
    return `	@rule${at} path_regexp ^(?:${inside})$
	handle @rule${at} {
${proxyTo(service)}
	}`
  })
  return `# Made from the route catalog by \`npm run deployment\`: a test holds it to that.
{
	admin off
	auto_https off
}

:8080 {
	# For monitors inside; whether the gateway may be sent requests is at /ready.
	@private path /metrics /health
	handle @private {
		respond 404
	}
${blocks.join('\n')}
	handle {
${proxyTo(OTHERWISE)}
	}
	handle_errors {
		@unreached expression \`{err.status_code} >= 502\`
		handle @unreached {
			header Retry-After 1
			header Content-Type "application/json; charset=utf-8"
			respond \`{"error":"the service is starting or has just stopped: try again","code":"UNAVAILABLE"}\` 503
		}
	}
}
`
}

function proxyTo(service: string): string {
  return `		reverse_proxy {
			# Every container of the service, also those that --scale adds.
			dynamic a ${service} 8080 {
				refresh 5s
			}
			lb_policy round_robin
			# Only what no container has taken is sent again.
			lb_try_duration 5s
			lb_try_interval 100ms
			# Long polls and WebSockets pass as they come.
			flush_interval -1
			transport http {
				# Shorter than the 65 s for which services keep a connection.
				keepalive 30s
				keepalive_idle_conns_per_host 256
				dial_timeout 2s
			}
		}`
}
