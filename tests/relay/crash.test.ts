// @engine both
/** kill -9 at any moment: every delivered response is billed once. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { ROOT_QUOTA } from '../../src/contracts/account.ts'
import { newFolder, run, type Server, startServer } from '../support/app/server.ts'
import { ask, makeSite } from '../support/app/site.ts'
import { seededRandom } from '../support/random.ts'
import { inTier } from '../support/tier.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { type Call, fakeUpstream } from '../support/upstream/openai.ts'

const model = 'gpt-4o-mini'
/** Of the built-in price table; in thousandths, so that the sum is exact. */
const price = { thousandths: 75, completion_ratio: 4 }
const url = process.env.DATABASE_URL!
const onPostgres = url.startsWith('postgres')

/** A crash costs a start; on PostgreSQL the lease of a dead node is tried elsewhere. */
const CRASHES = inTier({ short: 6, long: onPostgres ? 12 : 60 })
/** Each has as long as any test. */
const AT_A_TIME = 6
const LOAD_MS_MAX = 150
const WORKERS = 8
const random = seededRandom(50)

const folder = newFolder()
const env = { DATABASE_URL: onPostgres ? url : `file:${join(folder, 'tollgate.db')}` }
const upstream = await fakeUpstream()
/** The number in a question is what its answer says to have used: a bill tells whose it is. */
const numberOf = (call: Call) => Number((call.body.messages as { content: string }[])[0]!.content)
const usageOf = (id: number) => ({ prompt_tokens: id, completion_tokens: 1, total_tokens: id + 1 })
/** Which answers the upstream has sent to their end. */
const sent = new Set<number>()
upstream.scripts(model, async (call, answer) => {
  const id = numberOf(call)
  await chat({ usage: usageOf(id), pause_ms: id % 3 })(call, answer)
  if (!answer.gone) sent.add(id)
})
/** Rounded to a whole unit, and never free. */
const costOf = (id: number) => Math.max(1, Math.floor(((id + price.completion_ratio) * price.thousandths + 500) / 1000))

let server: Server | undefined
let key: string
beforeAll(async () => {
  server = await startServer({ folder, env })
  key = await makeSite(server.url, upstream, model)
})
afterAll(async () => {
  await server?.stop('SIGKILL')
  upstream.stop()
})

/** Every question, and whether its answer came whole. */
const asked: boolean[] = [false]

const answered = () => asked.filter(Boolean).length

async function askUntil(isOver: () => boolean, key: string) {
  while (!isOver()) {
    const id = asked.push(false) - 1
    const question = { model, stream: id % 2 === 0, content: String(id) }
    asked[id] = await ask(server!.url, key, question).then(
      answer => answer.whole,
      () => false,
    )
  }
}

async function billed() {
  const sql = new SQL(onPostgres ? url : `sqlite://${join(folder, 'tollgate.db')}`)
  const rows: { prompt_tokens: string }[] = await sql`select prompt_tokens from logs where type = 2`
  const [user] = await sql`select quota from users`
  await sql.close()
  return { ids: rows.map(row => Number(row.prompt_tokens)), balance: Number(user.quota) }
}

async function reconcile() {
  const { ids, balance } = await billed()
  const once = new Set(ids)
  expect(ids).toHaveLength(once.size)
  expect(asked.flatMap((whole, id) => (whole && !once.has(id) ? [id] : []))).toEqual([])
  expect(ids.filter(id => !sent.has(id))).toEqual([])
  expect(balance).toBe(ROOT_QUOTA - ids.reduce((sum, id) => sum + costOf(id), 0))
}

const firsts = Array.from({ length: CRASHES / AT_A_TIME }, (_, index) => index * AT_A_TIME)

test.each(firsts)('kill %i and the five after it lose no bill and double none under load', async first => {
  for (let crash = first; crash < first + AT_A_TIME; crash++) {
    let over = false
    const load = Array.from({ length: WORKERS }, () => askUntil(() => over, key))
    const audit = crash % 3 === 0 ? run(['audit'], { folder, env }) : undefined
    const answers = answered()
    // Half of the crashes are sure to come amid answers, the others at any moment since the start.
    while (crash % 2 && answered() === answers) await Bun.sleep(1)
    await Bun.sleep(random(LOAD_MS_MAX))
    over = true
    await server!.stop('SIGKILL')
    await Promise.all(load)
    if (audit) expect(await audit).toMatchObject({ code: 0 })
    server = await startServer({ folder, env })
    await reconcile()
  }
  expect(answered()).toBeGreaterThanOrEqual((first + AT_A_TIME) / 2)
  expect(await run(['audit'], { folder, env })).toMatchObject({ code: 0 })
})
