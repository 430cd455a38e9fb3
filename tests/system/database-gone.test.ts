// @engine postgres
/** /healthz while the database is gone: a supervisor must not restart what only waits for it. */
import { afterAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { env } from '../../src/env.ts'
import { newInstallation, setUpAt, startAt } from '../support/app/installation.ts'
import { until } from '../support/until.ts'

const cluster = new SQL(env.DATABASE_URL, { max: 1 })
afterAll(() => cluster.close())

test('without its database a node is alive and not ready, and is ready again when the database is back', async () => {
  const place = await newInstallation()
  const name = new URL(place.env.DATABASE_URL!).pathname.slice(1)
  const server = await startAt(place)
  await setUpAt(server)
  const status = async (path: string) => (await fetch(server.url + path)).status
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200])

  await cluster.unsafe(`alter database "${name}" with allow_connections false`)
  await cluster`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
  await until(async () => (await status('/readyz')) === 503)
  for (let round = 0; round < 20; round++) {
    const begun = performance.now()
    expect(await status('/healthz')).toBe(200)
    expect(performance.now() - begun).toBeLessThan(500)
  }
  const [seen] = await cluster`select count(*)::int as count from pg_stat_activity where datname = ${name}`
  expect(seen.count).toBe(0)

  await cluster.unsafe(`alter database "${name}" with allow_connections true`)
  await until(async () => (await status('/readyz')) === 200)
})
