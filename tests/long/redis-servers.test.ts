// @engine postgres
// @waits
/** Limits of two nodes in Redis by Sentinel with a failover, over TLS with a private authority, and as a user with few rights. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { ask, setOption } from '../support/app/site.ts'
import {
  callAt,
  callMany,
  inRedis,
  limitedCaller,
  limitedNodes,
  limitUsers,
  MODEL,
  perTenMinutes,
} from '../support/cluster/limited-nodes.ts'
import { bringPackages } from '../support/debian-packages.ts'
import { newCertificate } from '../support/mail/certificate.ts'
import { startSentinels } from '../support/redis/sentinel.ts'
import { startRedis } from '../support/redis/server.ts'
import { until } from '../support/until.ts'

beforeAll(() => bringPackages(['sentinel']), 300_000)

const LIMIT = 60

type Site = Awaited<ReturnType<typeof limitedNodes>>

/** Calls beyond the limit of a key at both nodes. @returns how many were let in */
async function letIn(site: Site, name: string): Promise<number> {
  const one = await limitedCaller(site, name, perTenMinutes(LIMIT))
  const counts = await callMany(() => callAt(site.balancer.next(), one), 2 * LIMIT)
  expect(Object.keys(counts)).toEqual(['200', '429'])
  return counts[200]!
}

test('a failover by Sentinel under calls costs none, opens no window, and limits are exact on the new master', async () => {
  const sentinels = await startSentinels('main')
  afterAll(sentinels.stop)
  const site = await limitedNodes({ redisUrl: () => sentinels.address })
  const one = await limitedCaller(site, 'failover', perTenMinutes(LIMIT))
  const call = () => callAt(site.balancer.next(), one)
  const statuses: number[] = []
  let isOver = false
  const calling = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        statuses.push(await call())
        await Bun.sleep(200)
      }
    }),
  )
  await until(() => statuses.length > 20, 'calls')
  await sentinels.master.kill()
  await until(async () => (await sentinels.masterPort()) === sentinels.replica.port, 'another master')
  await inRedis(site.nodes, 2)
  await until(() => statuses.at(-1) === 429, 'the limit')
  isOver = true
  await calling
  expect([...new Set(statuses)].sort()).toEqual([200, 429])
  const before = statuses.filter(status => status === 200).length
  const after = await callMany(call, 40)
  expect(before + (after[200] ?? 0)).toBe(LIMIT)
  expect(await letIn(site, 'afterwards')).toBe(LIMIT)
  const client = new Redis(sentinels.replica.port)
  expect((await client.keys('{tollgate:*')).length).toBeGreaterThan(0)
  client.disconnect()
})

test('rediss:// with a private authority, which NODE_EXTRA_CA_CERTS names, keeps limits exact', async () => {
  const { key, cert, ca_path } = await newCertificate()
  const folder = mkdtempSync(join(tmpdir(), 'redis-tls-'))
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  await Promise.all([Bun.write(files.key, key), Bun.write(files.cert, cert)])
  const tls = await startRedis(port => [
    ...['--tls-port', String(port + 1), '--tls-cert-file', files.cert, '--tls-key-file', files.key],
    ...['--tls-ca-cert-file', ca_path, '--tls-auth-clients', 'no'],
  ])
  afterAll(tls.stop)
  const site = await limitedNodes({
    redisUrl: () => `rediss://localhost:${tls.port + 1}`,
    env: { NODE_EXTRA_CA_CERTS: ca_path },
  })
  expect(await letIn(site, 'tls')).toBe(LIMIT)
  const client = new Redis(tls.port)
  const addresses = String(await client.client('LIST')).match(/laddr=\S+/g)!
  expect(addresses.filter(address => address.endsWith(`:${tls.port + 1}`)).length).toBeGreaterThanOrEqual(4)
  client.disconnect()
})

test('a user of Redis that may do no more than nodes need keeps limits exact', async () => {
  const rights = 'on >a%secret resetkeys ~{tollgate:* resetchannels &tollgate:* +@all -@admin -@dangerous'
  const server = await startRedis(() => ['--user', 'gate', ...rights.split(' ')])
  afterAll(server.stop)
  const site = await limitedNodes({ redisUrl: () => `redis://gate:a%25secret@127.0.0.1:${server.port}` })
  expect(await letIn(site, 'acl')).toBe(LIMIT)
  expect(site.nodes.map(node => /subscription to changes refused/.test(node.output()))).toEqual([false, false])
})

test('a call with every limit costs at most three commands of Redis, whole and streamed', async () => {
  const site = await limitedNodes()
  await limitUsers(site, 100_000)
  for (const limit of ['KeyConcurrencyLimit', 'UserConcurrencyLimit']) await setOption(site.first.url, limit, 100)
  const one = await limitedCaller(site, 'counted', perTenMinutes(100_000, 100_000))
  await Bun.sleep(1500)
  const client = new Redis(site.redis.url)
  const commands: string[] = []
  const monitor = await client.monitor()
  // Those of a script are marked as its own.
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    if (source !== 'lua') commands.push(args.join(' ').slice(0, 60))
  })
  for (const stream of [false, true]) {
    commands.length = 0
    const CALLS = 200
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let index = 0; index < CALLS / 10; index++) {
          const answer = await ask(site.balancer.next(), one.key, { model: MODEL, content: 'Hi', stream })
          expect([answer.status, answer.whole]).toEqual([200, true])
        }
      }),
    )
    await Bun.sleep(300)
    const a_call = commands.length / CALLS
    process.stdout.write(`commands of Redis a ${stream ? 'streamed' : 'whole'} call: ${a_call}\n`)
    expect(commands.length).toBeGreaterThanOrEqual(2 * CALLS)
    expect(a_call).toBeLessThanOrEqual(3)
  }
  monitor.disconnect()
  client.disconnect()
})
