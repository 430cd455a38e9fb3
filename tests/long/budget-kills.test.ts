// @waits
/**
 * kill -9 at fourteen points in the life of a call with budgets of its key, user and channel: no unit over, none lost, and
 * what the dead process held is free after the restart.
 */
import { afterAll, expect, test } from 'bun:test'
import { dialect } from '../../src/db/dialect.ts'
import { newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { ask, type Question, setOption } from '../support/app/site.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { OVERDUE } from '../support/cluster/overdue.ts'
import { addMembers, type Member, sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat, hangs, hangsAfter, inTurn, refuses } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream, type Script } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const [FITTING, CALLS, MANY] = [7, 100, 1_000_000_000]
const WHOLE_STREAM = { text: 'one two three' }
const LONG_STREAM = { text: 'word '.repeat(3000), chunks: 3000 }

const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
const place = await newInstallation()
const running = { server: await startAt(place) }
await setUpAt(running.server)
const root = await signInAt(running.server)
for (const name of ['ModelRatio', 'CompletionRatio'])
  await setOption(running.server.url, name, JSON.stringify({ [MODEL]: 1 }))
await setOption(running.server.url, 'RetryTimes', 1)
for (const priority of [1, 0]) {
  const body = { name: `mock${priority}`, type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL, priority }
  await sendWell(running.server.url, root, '/api/channel/', { body })
}
const idsOf = async (rows: string) =>
  ((await place.read(`select id from ${rows} order by id`)) as { id: unknown }[]).map(({ id }) => Number(id))
const ofChannels = await Promise.all(
  (await idsOf('channels')).map(id => budget('channel', id, { unit: 'quota', amount: MANY })),
)

async function budget(owner: string, owner_id: number, fields: object) {
  const body = { owner, owner_id, name: owner, window: 'all', ...fields }
  return (await sendWell(running.server.url, root, '/api/budget/', { body })).data.id as number
}

async function crash() {
  await running.server.stop('SIGKILL')
  if (dialect === 'postgres') await place.change(OVERDUE)
  running.server = await startAt(place)
}

/** A user with a key for seven calls. */
class Caller {
  /** Calls whose whole answer has come. */
  whole = 0
  readonly #running: Promise<unknown>[] = []

  private constructor(
    readonly member: Member,
    readonly key: string,
    readonly token_id: number,
  ) {}

  static async named(name: string, window: object) {
    const [member] = (await addMembers(place, name, 1)) as [Member]
    const { url } = running.server
    await sendWell(url, root, '/api/topup', { body: { user_id: member.id, quota: MANY, remark: '' } })
    const { data } = await sendWell(url, member, '/api/token/', { body: { name, unlimited_quota: true } })
    const [token_id] = (await idsOf(`tokens where user_id = ${member.id}`)) as [number]
    await budget('token', token_id, { unit: 'calls', amount: FITTING, ...window })
    await budget('user', member.id, { unit: 'tokens', amount: MANY })
    return new Caller(member, data.key, token_id)
  }

  /** Begins calls, which end by their answers or by the crash. */
  begin(count: number, fields: Partial<Question> = {}) {
    for (let call = 0; call < count; call++) this.#running.push(this.ask(fields).catch(() => 0))
  }

  async ask(fields: Partial<Question> = {}) {
    const { status, whole } = await ask(running.server.url, this.key, { model: MODEL, content: 'Hi', ...fields })
    if (whole) this.whole++
    return status
  }

  ended = () => Promise.all(this.#running)

  async budgets() {
    const { url } = running.server
    const query = (owner: string, id: number) => `/api/budget/?owner=${owner}&owner_id=${id}`
    const read = async (path: string) => (await sendWell(url, root, path, { method: 'GET' })).data as Held[]
    const [ofKey, ofUser] = await Promise.all([
      read(query('token', this.token_id)),
      read(query('user', this.member.id)),
    ])
    return { key: ofKey[0]!, user: ofUser[0]! }
  }

  /** What the log says that it has used. */
  async billed() {
    const [row] =
      (await place.read(`select count(*) as calls, coalesce(sum(prompt_tokens + completion_tokens), 0) as tokens
      from logs where type = 2 and token_id = ${this.token_id}`)) as Record<'calls' | 'tokens', unknown>[]
    return { calls: Number(row!.calls), tokens: Number(row!.tokens) }
  }
}

interface Held {
  used: number
  reserved: number
}

/** Calls at the upstream since the last point. */
let before = 0
const arrived = (count: number) => until(() => upstream.journal.length - before >= count, 'calls at the upstream')

async function halfAnswer(answer: Parameters<Script>[1]) {
  await answer.head(200, { 'content-type': 'application/json' }, 1000)
  await answer.write('{"id":')
  await answer.left
}

const headAlone: Script = async (_, answer) => {
  await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
  await answer.left
}

/** A call that waits where the process is killed: the script of its upstream, and how the point is reached. */
type Point = [name: string, script: Script, reach: (caller: Caller) => Promise<unknown>]

const held =
  (count: number, fields: Partial<Question> = {}) =>
  async (caller: Caller) => {
    caller.begin(count, fields)
    await arrived(count)
  }

/** A stream of which the client has read so much. */
const readUpTo =
  (bytes: number, leaves = false) =>
  async ({ key }: Caller) => {
    const leave = new AbortController()
    const response = await fetch(`${running.server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
      signal: leave.signal,
    })
    const reader = response.body!.getReader()
    for (let read = 0; read < bytes; ) read += (await reader.read()).value!.length
    if (leaves) leave.abort()
    else reader.closed.catch(() => {})
  }

/** Its body never ends. */
async function halfBody({ key }: Caller) {
  const text = new TextEncoder().encode(`{"model":"${MODEL}",`)
  const body = new ReadableStream({ start: controller => controller.enqueue(text) })
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
  fetch(`${running.server.url}/v1/chat/completions`, { method: 'POST', headers, body }).catch(() => {})
  await Bun.sleep(100)
}

const slow = chat({ pause_ms: 5 })
const points: Point[] = [
  ['its body is on its way', chat(), halfBody],
  ['its maker thinks', hangs(), held(5)],
  ['all of the budget is held', hangs(), held(FITTING)],
  ['half of its answer has come', (_, answer) => halfAnswer(answer), held(3)],
  ['the head of its stream has come', headAlone, held(3, { stream: true })],
  ['its stream is on its way', hangsAfter(2), readUpTo(1)],
  ['its stream lacks the end', hangsAfter(5, WHOLE_STREAM), readUpTo(500)],
  ['its stream has held more', hangsAfter(2000, LONG_STREAM), readUpTo(100_000)],
  ['its client has left', hangsAfter(2), readUpTo(1, true)],
  ['its answer has just come', chat(), caller => caller.ask()],
  ['its stream has just ended', chat(), caller => caller.ask({ stream: true })],
  ['its maker has just refused it', refuses(400), caller => caller.ask()],
  ['a second channel serves it', inTurn(refuses(500), hangs()), caller => held(1)(caller).then(() => arrived(2))],
  [
    'a hundred others want its budget',
    slow,
    async caller => {
      caller.begin(CALLS)
      await until(() => caller.whole > 2)
    },
  ],
]
const windows = [
  { window: 'rolling', seconds: 18_000 },
  { window: 'all' },
  { window: 'fixed', seconds: 86_400_000 },
  { window: 'month', zone: 'Asia/Shanghai' },
]

test.each(points.map((point, index) => [point[0], point, index] as const))(
  'a process killed while %s: no unit over, none lost',
  async (_, [, script, reach], index) => {
    const caller = await Caller.named(`point${index}-`, windows[index % windows.length]!)
    before = upstream.journal.length
    upstream.scripts(MODEL, script)
    await reach(caller)
    await crash()
    await caller.ended()
    const billed = await caller.billed()
    expect(billed.calls).toBeWithin(caller.whole, FITTING + 1)
    expect(await caller.budgets()).toMatchObject({
      key: { used: billed.calls, reserved: 0 },
      user: { used: billed.tokens, reserved: 0 },
    })
    upstream.scripts(MODEL, chat())
    const statuses = await Promise.all(Array.from({ length: CALLS }, () => caller.ask()))
    expect(statuses.filter(status => status === 200)).toHaveLength(FITTING - billed.calls)
    expect(new Set(statuses)).toEqual(new Set(billed.calls < FITTING ? [200, 429] : [429]))
    expect(await caller.budgets()).toMatchObject({ key: { used: FITTING, reserved: 0 }, user: { reserved: 0 } })
    await checkInvariants(place)
  },
)

test('budgets of the channels have what their bills are, after all crashes', async () => {
  const rows = await place.read(`select budget_windows.used, channels.used_quota from budget_windows
    join budgets on budgets.id = budget_id join channels on channels.id = owner_id
    where budget_id in (${ofChannels.join()})`)
  const sums = (rows as Record<'used' | 'used_quota', unknown>[]).map(row => [Number(row.used), Number(row.used_quota)])
  expect(sums.length).toBeGreaterThan(0)
  expect(sums.map(([used]) => used)).toEqual(sums.map(([, used_quota]) => used_quota))
})
