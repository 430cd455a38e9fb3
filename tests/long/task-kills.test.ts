// @waits
/**
 * kill -9 at ten points in the life of a song, with fifty songs under way: what was accepted is found again and charged
 * once, what failed is refunded once, what was lost is charged to no one, and nothing is sent to its maker twice.
 * `TASK_KILLS=20` for the whole measure.
 */
import { expect, test } from 'bun:test'
import { dialect } from '../../src/db/dialect.ts'
import { newInstallation, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { OVERDUE } from '../support/cluster/overdue.ts'
import { seededRandom } from '../support/random.ts'
import { until } from '../support/until.ts'
import type { ScriptedAnswer } from '../support/upstream/http-server.ts'
import { SUNO_KEY, type SunoCall, song, success, sunoUpstream } from '../support/upstream/suno.ts'

const SONGS = 50
const KILLS = Number(process.env.TASK_KILLS ?? 1)
/** Quota of a song. */
const PRICE = 50_000
const random = seededRandom(Number(process.env.TASK_SEED ?? 1))
const someSongs = () => 1 + random(SONGS - 1)

const maker = await sunoUpstream()
const place = await newInstallation()
const running = { server: await startAt(place) }
const key = await makeSite(running.server.url, maker, 'suno_music', { type: 36, key: SUNO_KEY })
// Quota for all songs of all kills, from an administrator.
await place.change(`insert into ledger (user_id, kind, delta, balance_after, created_time)
  select id, 'admin', 1000000000000, quota + 1000000000000, 0 from users`)
await place.change('update users set quota = quota + 1000000000000')
const RICH = await balance()

/** Ids that callers were given. */
const told = new Set<string>()
let asked = 0

/** Fifty songs at once. @returns resolves when each call has ended, whether by an answer or by the crash */
async function submitSongs() {
  await Promise.all(
    Array.from({ length: SONGS }, async () => {
      const response = await fetch(`${running.server.url}/suno/submit/music`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}` },
        body: JSON.stringify({ prompt: `Song ${asked++}` }),
      }).catch(() => undefined)
      const answer: any = await response?.json().catch(() => undefined)
      if (answer?.data) told.add(answer.data)
    }),
  )
}

interface Row {
  task_id: string
  status: string
  upstream_id: string
  charged: number
  refunded: number
  outcome_unknown: boolean
}

async function read<Row>(query: string): Promise<Row[]> {
  return (await place.read(query)) as Row[]
}

async function balance(): Promise<number> {
  const [user] = await read<{ quota: number }>('select quota from users')
  return Number(user!.quota)
}

const rows = async () =>
  (await read<Row>('select * from tasks order by id')).map(row => ({
    ...row,
    charged: Number(row.charged),
    refunded: Number(row.refunded),
    outcome_unknown: Boolean(row.outcome_unknown),
  }))

const countWhere = async (where: string) =>
  Number((await read<{ n: number }>(`select count(*) as n from tasks where ${where}`))[0]!.n)

/** Kills the process, and starts another one that takes the dead one's place at once. */
async function crash() {
  await running.server.stop('SIGKILL')
  maker.scripts.submit = maker.scripts.fetch = undefined
  if (dialect === 'postgres') {
    await place.change(OVERDUE)
    await place.change('update jobs set seen_time = seen_time - 61')
  }
}

async function restart() {
  running.server = await startAt(place)
}

/** The maker holds what it is asked until the process is gone; `count` resolves at so many requests. */
function holding(which: 'submit' | 'fetch', count: number, hold: (answer: ScriptedAnswer, call: SunoCall) => unknown) {
  const reached = Promise.withResolvers<void>()
  let seen = 0
  maker.scripts[which] = async (answer, call) => {
    if (++seen === count) reached.resolve()
    await hold(answer, call)
  }
  return reached.promise
}

const held = (answer: ScriptedAnswer) => answer.left
const begun = () => success(maker.begin())

async function halfAnswered(answer: ScriptedAnswer) {
  const bytes = JSON.stringify(begun())
  await answer.head(200, { 'content-type': 'application/json' }, bytes.length)
  await answer.write(bytes.slice(0, bytes.length / 2))
  await answer.left
}

/** Songs that are accepted, half of which succeed at the next look. */
async function acceptedSongs() {
  await submitSongs()
  endAll()
}

function endAll() {
  for (const [id, { status }] of maker.tasks) {
    if (status !== 'SUBMITTED') continue
    const isGood = Number(id.split('-')[1]) % 2 === 0
    maker.tells(id, isGood ? { status: 'SUCCESS', data: [song(id)] } : { status: 'FAILURE', fail_reason: 'no' })
  }
}

const states = (call: SunoCall) => success(call.body.ids.map((id: string) => maker.tasks.get(id)))

/** What runs until the kill, and when that comes. */
const points: Record<string, () => Promise<void>> = {
  'before its row': async () => {
    void submitSongs()
    await Bun.sleep(random(8))
  },
  'after its row': async () => {
    void submitSongs()
    await until(() => countWhere("status = 'NOT_START'"))
  },
  'at its call': async () => {
    const reached = holding('submit', someSongs(), held)
    void submitSongs()
    await reached
  },
  'amid its answer': async () => {
    const reached = holding('submit', someSongs(), halfAnswered)
    void submitSongs()
    await reached
  },
  'after its answer': async () => {
    const reached = holding('submit', someSongs(), answer => answer.json(begun()))
    void submitSongs()
    await reached
  },
  'at its bill': async () => {
    const before = await countWhere("status = 'SUBMITTED'")
    const count = someSongs()
    void submitSongs()
    await until(async () => (await countWhere("status = 'SUBMITTED'")) >= before + count)
  },
  'at the look for it': async () => {
    await acceptedSongs()
    await holding('fetch', 1, held)
  },
  'after the answer to the look': async () => {
    await acceptedSongs()
    await holding('fetch', 1, (answer, call) => answer.json(states(call)))
    await Bun.sleep(random(4))
  },
  'at its refund': async () => {
    const before = await countWhere('refunded > 0')
    await acceptedSongs()
    const count = 1 + random(5)
    await until(async () => (await countWhere('refunded > 0')) >= before + count)
  },
  'after its end': async () => {
    const before = await countWhere("status = 'SUCCESS'")
    await acceptedSongs()
    const count = someSongs() / 2
    await until(async () => (await countWhere("status = 'SUCCESS'")) >= before + count)
  },
}

async function checkBooks() {
  endAll()
  await until(async () => !(await countWhere("status not in ('SUCCESS', 'FAILURE')")), 'every song has ended')
  const all = await rows()
  const lost = [...told].filter(id => !all.some(row => row.task_id === id && row.charged === PRICE))
  expect(lost).toEqual([])
  const wrong = all.filter(({ status, upstream_id, charged, refunded, outcome_unknown }) =>
    upstream_id && !outcome_unknown
      ? charged !== PRICE || refunded !== (status === 'FAILURE' ? PRICE : 0)
      : status !== 'FAILURE' || charged || refunded,
  )
  expect(wrong).toEqual([])
  const sum = (of: 'charged' | 'refunded') => all.reduce((total, row) => total + row[of], 0)
  expect(RICH - (await balance())).toBe(sum('charged') - sum('refunded'))
  const refunds = await read<{ reference: string }>("select reference from ledger where kind = 'refund'")
  const refunded = all.filter(row => row.refunded).map(({ task_id }) => task_id)
  expect(refunds.map(({ reference }) => reference).sort()).toEqual(refunded.sort())
  const prompts = maker.submits().map(({ body }) => body.prompt)
  expect(prompts).toHaveLength(new Set(prompts).size)
  expect(maker.complaints).toEqual([])
  expect(await run(['audit', '--bills'], place)).toMatchObject({
    code: 0,
    out: expect.stringContaining('audit: clean'),
  })
}

/** Each group of kills has as long as any test. */
const AT_A_TIME = 5
const groups = Object.keys(points).flatMap(point =>
  Array.from({ length: Math.ceil(KILLS / AT_A_TIME) }, (_, group) => [point, group * AT_A_TIME] as const),
)

test.each(groups)(
  'a process that is killed %s, from kill %i on, loses no song and charges none twice',
  async (point, first) => {
    for (let kill = first; kill < Math.min(KILLS, first + AT_A_TIME); kill++) {
      await points[point]!()
      await crash()
      await restart()
    }
    await checkBooks()
  },
)
