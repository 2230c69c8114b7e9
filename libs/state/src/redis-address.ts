/**
 * The URLs of a Redis that is more than one server: a primary that Sentinels name, or a Cluster.
 *
 *     redis-sentinel://user:password@host1:26379,host2:26379/0#primary
 *     redis-cluster://user:password@host1:6379,host2:6379
 *
 * `rediss-sentinel` and `rediss-cluster` are the same with TLS. A single server's URL is read by
 * the driver.
 */
export interface RedisNode {
  host: string
  port: number
}

export interface RedisAddress {
  kind: 'sentinel' | 'cluster'
  nodes: readonly [RedisNode, ...RedisNode[]]
  /** What the Sentinels call the primary; '' for a Cluster. */
  primary: string
  username: string | undefined
  password: string | undefined
  database: number
  isTls: boolean
}

const SEVERAL_SERVERS = /^rediss?-/
const SEVERAL_HOSTS = /^rediss?:\/\/([^@/]*@)?[^@/?#]*,[^@/?#]*([/?#]|$)/
const FORM = /^redis(s?)-(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/(\d*))?(?:#(.+))?$/
const NODE = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/
const PORTS = { sentinel: 26_379, cluster: 6379 }

/**
 * Throws with what is wrong. The URL holds a password, so no message repeats it.
 * @returns undefined: it is the URL of a single server
 */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  if (SEVERAL_HOSTS.test(url))
    throw new Error('REDIS_URL names several hosts: begin it with redis-sentinel or redis-cluster')
  if (!SEVERAL_SERVERS.test(url)) return undefined
  const parts = FORM.exec(url)
  if (parts === null)
    throw new Error(
      'REDIS_URL must be redis-sentinel://host:26379,host:26379#primary or ' +
        'redis-cluster://host:6379,host:6379; with TLS it begins with rediss',
    )
  const [, tls, suffix, user = '', hosts = '', database = '', primary = ''] = parts
  const kind = suffix === 'sentinel' ? suffix : 'cluster'
  const [first, ...rest] = hosts.split(',').map((host) => parseNode(host, PORTS[kind]))
  if (kind === 'sentinel' && primary === '')
    throw new Error('REDIS_URL must end with #name, by which the Sentinels know the primary')
  if (kind === 'cluster' && Number(database) !== 0)
    throw new Error('REDIS_URL names a database, and a Cluster has only the database 0')
  const at = user.indexOf(':')
  const [username, password] = at < 0 ? [user, ''] : [user.slice(0, at), user.slice(at + 1)]
  return {
    kind,
    nodes: [first as RedisNode, ...rest],
    primary: decodeURIComponent(primary),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    database: Number(database),
    isTls: tls === 's',
  }
}

function parseNode(text: string, otherwise: number): RedisNode {
  const parts = NODE.exec(text)
  const port = Number(parts?.[2] ?? otherwise)
  if (parts === null || port > 65_535)
    throw new Error('REDIS_URL has a host that is none: it must be host:port')
  return { host: (parts[1] ?? '').replaceAll(/[[\]]/g, ''), port }
}
