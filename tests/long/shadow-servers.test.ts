// @tier long
/** `tollgate shadow report` against the logs of each gateway on SQLite, MariaDB and PostgreSQL. */
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShadowReport } from '../../src/contracts/shadow.ts'
import { setUpInstallation, startAt } from '../support/app/installation.ts'
import { newFolder, run } from '../support/app/server.ts'
import { databaseServers } from '../support/moving-in/database-servers.ts'
import { bcrypt, fileOf, gateways } from '../support/moving-in/house.ts'
import { moved, rowsOf } from '../support/moving-in/moved.ts'
import type { ForeignEngine, Gateway, Row, Rows } from '../support/moving-in/schemas.ts'
import { formats } from '../support/shadow/calls.ts'
import {
  CACHE_RATIO,
  CASES,
  GROUP_RATIOS,
  MODELS,
  oldGateway,
  UNREAD,
  UNREAD_QUOTA,
} from '../support/shadow/old-gateway.ts'
import { until } from '../support/until.ts'

const placeOn = databaseServers()

const person = { id: 2, username: 'ann', group: 'vip', key: 'A'.repeat(48) }
const old = oldGateway([person])
afterAll(() => old.stop())

const tableOf = (key: string, ratioOf: (ratios: [number, number]) => number) => ({
  key,
  value: JSON.stringify(Object.fromEntries(Object.entries(MODELS).map(([name, ratios]) => [name, ratioOf(ratios)]))),
})

/** The house that moves in, and afterwards its log. */
function database(logs: Row[]): Rows {
  const { key, ...user } = person
  return {
    users: [
      { ...user, status: 1, role: 1, quota: 9, password: bcrypt('12345678'), email: '', inviter_id: 0, aff_code: 'A' },
    ],
    tokens: [
      { id: 2, user_id: 2, key, status: 1, name: 'key', expired_time: -1, remain_quota: 0, unlimited_quota: true },
    ],
    channels: [],
    options: [
      { key: 'GroupRatio', value: JSON.stringify(GROUP_RATIOS) },
      ...[tableOf('ModelRatio', ([ratio]) => ratio), tableOf('CompletionRatio', ([, ratio]) => ratio)],
      tableOf('CacheRatio', () => CACHE_RATIO),
    ],
    logs,
  }
}

const place = await setUpInstallation()
await moved(place, fileOf('new-api', database([])))
const server = await startAt({ ...place, env: { ...place.env, SHADOW_OF: old.url, LOG_LEVEL: 'warn' } })

const cases = CASES.filter(name => name !== 'broken')
const models = Object.keys(formats) as (keyof typeof formats)[]
for (const [number, [model, name]] of models.flatMap(model => cases.map(name => [model, name] as const)).entries()) {
  const { path, body, headers } = formats[model]({ person, model, name, number, stream: number % 2 === 0 })
  await (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).text()
}
for (const path of Object.keys(UNREAD)) {
  const headers = { authorization: `Bearer sk-${person.key}` }
  const body = JSON.stringify({ prompt: 'a gate', content: { parts: [{ text: 'a gate' }] } })
  expect((await fetch(server.url + path, { method: 'POST', headers, body })).status).toBe(200)
}
const CALLS = models.length * cases.length + Object.keys(UNREAD).length
await until(async () => (await rowsOf(place, 'select count(*) as count from shadow_calls'))[0]!.count === CALLS)
await server.stop()

/** one-api writes the ratios as a text of two decimals, where the others write JSON. */
function logsOf(gateway: Gateway): Row[] {
  if (gateway !== 'one-api') return old.logs
  return old.logs.map(row => {
    const { model_ratio, group_ratio, completion_ratio } = JSON.parse(String(row.other))
    const ratios = [model_ratio, group_ratio, completion_ratio].map(ratio => Number(ratio).toFixed(2))
    return { ...row, content: model_ratio === undefined ? '' : `倍率：${ratios.join(' × ')}` }
  })
}

async function reportOn(engine: ForeignEngine, gateway: Gateway): Promise<ShadowReport> {
  const json = join(newFolder(), 'report.json')
  const address = await placeOn(engine, gateway, database(logsOf(gateway)))
  const { code, err } = await run(['shadow', 'report', '--against', address, '--json', json], place)
  expect([code, err]).toEqual([0, ''])
  const { against: _, ...report } = JSON.parse(readFileSync(json, 'utf8'))
  return report
}

const quota = old.logs.reduce((sum, row) => sum + BigInt(Number(row.quota)), 0n)

test.each(gateways)('%s: the report is the same against a file, MariaDB and PostgreSQL', async gateway => {
  const report = await reportOn('sqlite', gateway)
  expect(report.total.theirs).toMatchObject({ calls: String(old.logs.length), quota: String(quota) })
  const reasons = new Map(report.total.differences.map(one => [one.reasons.join(' + '), one]))
  for (const reason of ['model_ratio', 'group_ratio', 'completion_ratio', 'rounding', 'free_here'])
    expect([...reasons.keys()]).toContain(reason)
  const unread = Object.keys(UNREAD).length
  expect(reasons.get('not_priced_here')).toMatchObject({ calls: String(unread), quota: String(unread * UNREAD_QUOTA) })
  for (const engine of ['mysql', 'postgres'] as const) expect(await reportOn(engine, gateway)).toEqual(report)
})
