// @tier long
/** Ten thousand unfinished tasks of twenty channels: each round asks for all of them, and no channel waits for another. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { db } from '../../../src/db/database.ts'
import { keyHashOf } from '../../../src/domain/stored-objects/index.ts'
import { lookAfterTasks } from '../../../src/domain/tasks/index.ts'
import { tasks } from '../../../src/domain/tasks/table.ts'
import { now_ms, shiftClock, skipTime } from '../../../src/process/clock.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { setUp, visitor } from '../../support/people/person.ts'
import { until } from '../../support/until.ts'
import { makeChannel } from '../../support/upstream/channel.ts'
import { listen, type ScriptedAnswer } from '../../support/upstream/http-server.ts'

const CHANNELS = 20
const TASKS = 10_000
const OF_EACH = TASKS / CHANNELS
const IDS_MAX = 100
const KEY = 'sk-many'
const HANGING = 1
const SINGLE = 2
const DAY_MS = 86_400_000
/** Of ten rounds: 120 bytes a look. */
const GROWTH_MAX_MB = 12

/** Ids that were asked for in this round, by channel. */
const asked = new Map<number, string[][]>()
let hold: Promise<void> | undefined
/** Seconds that an answer of the channel of single tasks takes. */
let slow = 0

const server = await listen(async ({ target, body }, answer) => {
  const [, channel, rest = ''] = /^\/c(\d+)(\/.*)$/.exec(target)!
  const at = Number(channel)
  const ids: string[] = body ? JSON.parse(body).ids : [rest.split('/').at(-1)!]
  asked.set(at, [...(asked.get(at) ?? []), ids])
  if (at === HANGING) await hold
  if (at === SINGLE && slow) skipTime(slow)
  await tell(answer, ids, !body)
})
afterAll(() => server.stop())

const tell = (answer: ScriptedAnswer, ids: string[], isVideo: boolean) =>
  answer.json(
    isVideo
      ? { id: ids[0], object: 'video', status: 'in_progress', progress: 35 }
      : {
          code: 'success',
          message: '',
          data: ids.map(task_id => ({ task_id, status: 'IN_PROGRESS', progress: '35%' })),
        },
  )

const channels: number[] = []

beforeAll(async () => {
  const root = await setUp()
  const { id: user_id } = await visitor()
  for (let at = 0; at < CHANNELS; at++) {
    const kind = at === SINGLE ? { type: 55, models: 'sora-2' } : { type: 36, models: 'suno_music' }
    const base_url = `http://127.0.0.1:${server.port}/c${at}`
    channels.push((await makeChannel(root, { key: KEY, base_url, ...kind })).id)
  }
  const price = { unit: 'call' as const, price: 0 }
  const price_basis = { price, choice: { units: 1 }, group_ratio: 1, quota_per_unit: 1, price_version: '' }
  const rows = Array.from({ length: TASKS }, (_, index) => {
    const at = index % CHANNELS
    const own =
      at === SINGLE ? { platform: 'video' as const, action: 'video' } : { platform: 'suno' as const, action: 'MUSIC' }
    return {
      ...own,
      ...{
        task_id: `task_${index}`,
        upstream_id: `made-${index}`,
        channel_id: channels[at]!,
        key_hash: keyHashOf(KEY),
      },
      ...{ model: 'many', user_id, token_id: 0, group: 'default', request_id: 'req', node: 'gone', input: {} },
      ...{ status: 'IN_PROGRESS' as const, progress: 35, submit_ms: now_ms(), next_look_ms: now_ms(), price_basis },
      deadline_ms: now_ms() + 100 * DAY_MS,
    }
  })
  for (let from = 0; from < TASKS; from += 250) await db.insert(tasks).values(rows.slice(from, from + 250))
})
afterEach(() => {
  hold = undefined
  slow = 0
  asked.clear()
  resetStores('task-back-offs')
})

const round = () => lookAfterTasks(new AbortController().signal)
const countOf = (at: number) => (asked.get(at) ?? []).flat().length

test('a round asks for every task once, a hundred at a time where the upstream can', async () => {
  shiftClock(200)
  await round()
  for (let at = 0; at < CHANNELS; at++) {
    const ids = (asked.get(at) ?? []).flat()
    expect([at, ids.length, new Set(ids).size]).toEqual([at, OF_EACH, OF_EACH])
    expect(asked.get(at)).toHaveLength(at === SINGLE ? OF_EACH : OF_EACH / IDS_MAX)
  }
  asked.clear()
  await round()
  expect(asked.size).toBe(0)
})

test('a channel that hangs keeps no other one waiting, and is asked for four batches at most', async () => {
  const released = Promise.withResolvers<void>()
  hold = released.promise
  shiftClock(200)
  let isOver = false
  const running = round().then(() => {
    isOver = true
  })
  const others = Array.from({ length: CHANNELS }, (_, at) => at).filter(at => at !== HANGING)
  await until(async () => others.every(at => countOf(at) === OF_EACH))
  expect([isOver, asked.get(HANGING)?.length]).toEqual([false, 4])
  released.resolve()
  await running
  expect(countOf(HANGING)).toBe(OF_EACH)
})

test('a slow channel ends its turn with the round, and the next one asks for the rest', async () => {
  slow = 1.5
  shiftClock(400)
  await round()
  const begun = countOf(SINGLE)
  expect(begun).toBeLessThan(20)
  slow = 0
  await round()
  for (let at = 0; at < CHANNELS; at++) expect([at, countOf(at)]).toEqual([at, OF_EACH])
})

test('memory stays flat over many rounds', async () => {
  const afterRounds = async () => {
    for (let at = 0; at < 10; at++) {
      shiftClock(200)
      await round()
      asked.clear()
    }
    Bun.gc(true)
    return process.memoryUsage().rss / 1_048_576
  }
  // The heap grows by steps: what leaks grows each time.
  const growths: number[] = []
  for (let before = await afterRounds(); growths.length < 5; ) {
    const after = await afterRounds()
    growths.push(after - before)
    before = after
  }
  expect(Math.min(...growths)).toBeLessThan(GROWTH_MAX_MB)
})
