// @engine sqlite
/** Addresses of Redis by Sentinel. */
import { expect, test } from 'bun:test'
import { sentinelOptions } from '../../src/cluster/redis.ts'

test('an address by Sentinel names its hosts, the master, and how to sign in', () => {
  expect(sentinelOptions('redis-sentinel://a,b:7/main')).toEqual({
    sentinels: [
      { host: 'a', port: 26_379 },
      { host: 'b', port: 7 },
    ],
    name: 'main',
  })
  expect(sentinelOptions('redis-sentinel://me:p%40ss@[::1]:26379/main/3')).toEqual({
    sentinels: [{ host: '::1', port: 26_379 }],
    name: 'main',
    username: 'me',
    password: 'p@ss',
    db: 3,
  })
  expect(sentinelOptions('redis://a:6379')).toBeUndefined()
})
