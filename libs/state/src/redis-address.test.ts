import { expect, test } from '@jest/globals'
import { parseRedisUrl } from './redis-address.ts'

const PLAIN = { primary: '', username: undefined, password: undefined, database: 0, isTls: false }

test.each([
  'redis://cache',
  'rediss://posthorn:p%40ss@cache:6390/2',
  'redis://:a,b@[::1]',
  '/run/redis.sock',
])('%s is a single server, whose URL the driver reads', (url) => {
  expect(parseRedisUrl(url)).toBeUndefined()
})

test.each([
  [
    'redis-sentinel://s1,s2:26380/1#my%20primary',
    {
      ...PLAIN,
      kind: 'sentinel',
      nodes: [
        { host: 's1', port: 26_379 },
        { host: 's2', port: 26_380 },
      ],
      primary: 'my primary',
      database: 1,
    },
  ],
  [
    'rediss-cluster://u:p%40@10.0.0.1:7000,[::1]',
    {
      ...PLAIN,
      kind: 'cluster',
      nodes: [
        { host: '10.0.0.1', port: 7000 },
        { host: '::1', port: 6379 },
      ],
      username: 'u',
      password: 'p@',
      isTls: true,
    },
  ],
])('%s is read', (url, address) => {
  expect(parseRedisUrl(url)).toEqual(address)
})

test.each([
  ['redis-clusters://secret@cache', 'REDIS_URL must be redis-sentinel://host'],
  ['redis://secret@a,b', 'several hosts'],
  ['redis-sentinel://secret@a:26379', 'must end with #name'],
  ['redis-cluster://secret@a/3', 'only the database 0'],
  ['redis-cluster://secret@a:99999', 'a host that is none'],
])('%s is refused, without a word of its password', (url, message) => {
  expect(() => parseRedisUrl(url)).toThrow(message)
  expect(() => parseRedisUrl(url)).not.toThrow('secret')
})
