/** Calls in the shadow of another gateway: they pass, cost nothing here, and are compared with its log. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShadowReport } from '../../src/contracts/shadow.ts'
import { setUpInstallation, startAt } from '../support/app/installation.ts'
import { newFolder, run } from '../support/app/server.ts'
import { bcrypt, fileOf } from '../support/moving-in/house.ts'
import { moved, rowsOf } from '../support/moving-in/moved.ts'
import type { Row, Rows } from '../support/moving-in/schemas.ts'
import { formats, openAi, type Sent } from '../support/shadow/calls.ts'
import {
  CACHE_RATIO,
  CASES,
  type Case,
  countsOf,
  fairQuota,
  GROUP_RATIOS,
  MODELS,
  oldGateway,
  type Person,
} from '../support/shadow/old-gateway.ts'
import { until } from '../support/until.ts'

const people: Person[] = [
  { id: 2, username: 'ann', group: 'vip', key: 'A'.repeat(48) },
  { id: 3, username: 'bob', group: 'default', key: 'B'.repeat(48) },
]
/** Registered there after the import: unknown here. */
const late: Person = { id: 8, username: 'late', group: 'default', key: 'L'.repeat(48) }
const everyone = [...people, late]

const old = oldGateway(everyone)
afterAll(() => old.stop())

const options = Object.entries({
  GroupRatio: GROUP_RATIOS,
  ModelRatio: Object.fromEntries(Object.entries(MODELS).map(([name, [ratio]]) => [name, ratio])),
  CompletionRatio: Object.fromEntries(Object.entries(MODELS).map(([name, [, ratio]]) => [name, ratio])),
  CacheRatio: Object.fromEntries(Object.keys(MODELS).map(name => [name, CACHE_RATIO])),
}).map(([key, value]) => ({ key, value: JSON.stringify(value) }))

function database(persons: Person[]): Rows {
  const user = { status: 1, role: 1, quota: 1_000_000, password: bcrypt('12345678'), email: '', inviter_id: 0 }
  const token = { status: 1, name: 'key', created_time: 1, expired_time: -1, remain_quota: 0, unlimited_quota: true }
  return {
    users: persons.map(({ key: _, ...person }) => ({ ...user, ...person, aff_code: `A${person.id}` })),
    tokens: persons.map(({ id, key }) => ({ ...token, id, user_id: id, key })),
    channels: [],
    options,
    logs: old.logs,
  }
}

const place = await setUpInstallation()
await moved(place, fileOf('new-api', database(people)))
const server = await startAt({ ...place, env: { ...place.env, SHADOW_OF: old.url, LOG_LEVEL: 'warn' } })

async function send(sent: Sent, to = server.url, format = formats[sent.model as keyof typeof formats]) {
  const { path, body, headers } = format(sent)
  try {
    const response = await fetch(to + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (sent.name !== 'broken') throw error
    return { status: 200, text: 'broken off' }
  }
}

const CALLS = 1000
const models = Object.keys(formats)
const calls: Sent[] = Array.from({ length: CALLS }, (_, number) => {
  const name = CASES[number % CASES.length]!
  const stream = name === 'broken' || number % 3 === 0
  return { person: everyone[(number % 7) % 3]!, model: models[(number % 11) % 4]!, stream, name, number }
})

const report = async (...more: string[]): Promise<ShadowReport & { out: string }> => {
  const json = join(newFolder(), 'report.json')
  const from = fileOf('new-api', database(everyone))
  const { code, out, err } = await run(['shadow', 'report', '--against', from, '--json', json, ...more], place)
  expect([code, err]).toEqual([0, ''])
  return { ...JSON.parse(readFileSync(json, 'utf8')), out }
}

const count = async (table: string) => (await rowsOf(place, `select count(*) as count from ${table}`))[0]!.count

/** What is charged or reserved. */
const money = async () => ({
  users: await rowsOf(place, 'select id, quota, used_quota, request_count from users order by id'),
  tokens: await rowsOf(place, 'select id, remain_quota, used_quota from tokens order by id'),
  logs: await count('logs'),
  ledger: await count('ledger'),
  reservations: await count('reservations'),
})
const before = await money()

test('a thousand calls of three formats get the answers of the old gateway', async () => {
  const waiting = [...calls]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let sent = waiting.pop(); sent; sent = waiting.pop()) {
        const { status, text } = await send(sent)
        if (sent.name === 'refused') expect([status, text]).toEqual([429, expect.stringContaining('too many')])
        else if (sent.name !== 'broken') expect([status, text]).toEqual([200, expect.stringContaining('answer')])
      }
    }),
  )
  await until(async () => (await count('shadow_calls')) === CALLS)
}, 120_000)

test('no call is charged, reserved or logged here', async () => expect(await money()).toEqual(before))

/** The group here, which of a key that is unknown is the default. */
const groupOf = ({ group }: Person) => GROUP_RATIOS[group]!
const oursOf = ({ number, name, model, person }: Sent) => {
  const counts = countsOf(number, name)
  // Anthropic reports no thinking, and neither side counts any.
  return { ...counts, quota: fairQuota(counts, MODELS[model]!, groupOf(person)) }
}

/** The reasons that the stand-in has made, by its case. */
function reasonsOf({ name, model }: Sent, difference: number): string {
  const isFree = model === 'free-model'
  const usage: Partial<Record<Case, string>> = {
    ...{ cached: 'usage_cached', usage: 'usage_differs', both: 'usage_differs' },
    reasoning: model.startsWith('claude') ? 'usage_differs' : 'usage_reasoning',
  }
  const price = difference === 0 ? '' : isFree ? 'free_here' : priceReasons[name]
  return [usage[name], price].filter(Boolean).join(' + ')
}
const priceReasons: Partial<Record<Case, string>> = {
  ...{ model_ratio: 'model_ratio', group_ratio: 'group_ratio', completion_ratio: 'completion_ratio' },
  ...{ cache_ratio: 'cache_ratio', free_there: 'free_there', both: 'model_ratio', rounding: 'rounding' },
}

test('the report has exact sums and the reason of each difference, by user and model', async () => {
  const found = await report()
  const bySent = new Map(old.logs.map(row => [Number(row.number), row]))
  const differences = new Map<string, { calls: number; quota: number }>()
  const sums = { theirs: 0, ours: 0, there: 0, here: 0, prompt: 0, completion: 0, equal: 0 }
  for (const sent of calls) {
    const entry = bySent.get(sent.number)
    const isKept = sent.name === 'unlogged'
    if (!entry && !isKept) continue
    const { quota, prompt, completion } = oursOf(sent)
    const theirs = Number(entry?.quota ?? 0)
    const reason = isKept ? 'missing_there' : reasonsOf(sent, theirs - quota)
    sums.theirs += theirs
    sums.there += Number(entry !== undefined)
    for (const [name, add] of Object.entries({ ours: quota, here: 1, prompt, completion, equal: Number(!reason) }))
      sums[name as keyof typeof sums] += add
    if (!reason) continue
    const sum = differences.get(reason) ?? { calls: 0, quota: 0 }
    differences.set(reason, { calls: sum.calls + 1, quota: sum.quota + theirs - quota })
  }
  expect(found.total).toMatchObject({
    theirs: { calls: String(sums.there), quota: String(sums.theirs) },
    ours: {
      ...{ calls: String(sums.here), quota: String(sums.ours) },
      ...{ prompt_tokens: String(sums.prompt), completion_tokens: String(sums.completion) },
    },
    ...{ matched: String(sums.there), equal: String(sums.equal), difference: String(sums.theirs - sums.ours) },
  })
  expect(differences.size).toBeGreaterThan(10)
  expect(Object.fromEntries(found.total.differences.map(one => [one.reasons.join(' + '), one]))).toEqual(
    Object.fromEntries(
      [...differences].map(([reason, { calls, quota }]) => [
        reason,
        { reasons: reason.split(' + '), calls: String(calls), quota: String(quota) },
      ]),
    ),
  )
  expect(found.rows.map(({ user, model }) => `${user} ${model}`)).toEqual(
    everyone.flatMap(({ username }) => models.map(model => `${username} ${model}`).sort()),
  )
  const total = (pick: (row: ShadowReport['total']) => string) =>
    String(found.rows.reduce((sum, row) => sum + BigInt(pick(row)), 0n))
  for (const pick of [
    (row: ShadowReport['total']) => row.theirs.quota,
    (row: ShadowReport['total']) => row.ours.quota,
    (row: ShadowReport['total']) => row.difference,
    (row: ShadowReport['total']) => row.equal,
  ])
    expect(total(pick)).toBe(pick(found.total))
  expect(found.out).toContain(`\n${found.total.matched} calls on both sides, ${found.total.equal} of them equal`)
})

test('an entry that came another way is missing here, and a range leaves out what is outside of it', async () => {
  const last: Row = { ...old.logs.at(-1)!, request_id: 'another way' }
  old.logs.push({ ...last, id: old.logs.length + 1 })
  const { total } = await report()
  expect(total.differences).toContainEqual({ reasons: ['missing_here'], calls: '1', quota: String(last.quota) })
  old.logs.pop()
  const none = await report('--since', '2020-01-01', '--until', '2020-01-02')
  expect([none.total.matched, none.rows.length, none.failed]).toEqual(['0', 0, '0'])
})

test('calls without a price, without a usage, or charged though they failed have reasons of their own', async () => {
  const extra = [
    { model: 'unpriced-model', stream: false, name: 'equal' },
    { model: 'gpt-4o-mini', stream: false, name: 'charged' },
    { model: 'gpt-4o-mini', stream: true, name: 'silent' },
  ] as const
  for (const [at, one] of extra.entries())
    await send({ ...one, person: people[0]!, number: CALLS + at }, server.url, openAi)
  await until(async () => (await count('shadow_calls')) === CALLS + extra.length)
  const reasons = (await report()).total.differences.map(one => [one.reasons.join(' + '), one.calls])
  expect(Object.fromEntries(reasons)).toMatchObject({
    ...{ 'refused_here:relay.model_unpriced': '1', failed_here: '1', usage_estimated: '1' },
  })
})

test('a log without ids is compared by user, model, tokens and time', async () => {
  const rows = database(everyone)
  const logs = rows.logs!.map(row => ({ ...row, request_id: '' }))
  const from = fileOf('new-api', { ...rows, logs }, { drop: ['request_id'] })
  const json = join(newFolder(), 'report.json')
  await run(['shadow', 'report', '--against', from, '--json', json], place)
  const found: ShadowReport = JSON.parse(readFileSync(json, 'utf8'))
  const { total } = await report()
  expect(found.total).toMatchObject({ theirs: total.theirs, ours: total.ours, difference: total.difference })
  expect(Number(found.total.equal)).toBeGreaterThanOrEqual(Number(total.equal) * 0.9)
})

test('neither keys nor content stand in the table, the report and the log', async () => {
  const stored = JSON.stringify(await place.read('select * from shadow_calls'))
  const { out, ...rest } = await report()
  for (const text of [stored, out, JSON.stringify(rest), server.output()])
    for (const secret of [...everyone.map(({ key }) => key), 'answer that is', '¿qué?'])
      expect(text).not.toContain(secret)
})

const failure = async (...args: string[]) => {
  const { code, out, err } = await run(args, place)
  expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1])
  return err.trim()
}

test('a database without a usage log is refused, and so are wrong words', async () => {
  const { logs: _, ...rows } = database(people)
  const file = fileOf('new-api', rows)
  new Database(file).run('drop table logs')
  expect(await failure('shadow', 'report', '--against', file)).toContain('has no usage log of new-api')
  expect(await failure('shadow', 'report', '--against', '/nowhere.db')).toContain('there is no file /nowhere.db')
  for (const words of [[], ['report'], ['report', '--against'], ['report', '--against', file, '--since', 'now']])
    expect(await failure('shadow', ...words)).toContain('usage: tollgate shadow report --against DSN')
})

test('names in broken UTF-8 and with control characters are printed as replacements', async () => {
  const file = fileOf('new-api', database(everyone))
  const broken = new Database(file)
  broken.run("update logs set username = cast(x'61ff62' as text), model_name = 'a' || char(27) || '[31m' where id = 1")
  broken.close()
  const { code, out } = await run(['shadow', 'report', '--against', file], place)
  expect([code, out]).toEqual([0, expect.stringContaining('a\ufffdb')])
  expect(out).not.toContain('\u001b')
})

test('without SHADOW_OF the same keys are served and billed here', async () => {
  const before_cut = await count('shadow_calls')
  await server.stop()
  const alone = await startAt(place)
  const { status, text } = await send(calls[0]!, alone.url)
  expect([status, text]).toEqual([404, expect.stringContaining('model_not_found')])
  expect(await count('shadow_calls')).toBe(before_cut)
})
