/** kill -9 at any moment: what was answered is billed once, nothing else is, and the books add up. */
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { ROOT_QUOTA } from '../../src/contracts/account.ts'
import { chat } from '../support/scripts.ts'
import { seeded } from '../support/seeded.ts'
import { newFolder, run, type Server, startServer } from '../support/server.ts'
import { ask, makeSite } from '../support/site.ts'
import { type Call, fakeUpstream } from '../support/upstream.ts'

const model = 'gpt-4o-mini'
/** Of the built-in price table. */
const price = { model_ratio: 0.075, completion_ratio: 4 }
const url = process.env.DATABASE_URL!
const onPostgres = url.startsWith('postgres')

/** A crash costs a start; on PostgreSQL the lease of a dead node is tried elsewhere. */
const CRASHES = onPostgres ? 10 : 50
const LOAD_MS_MAX = 250
const WORKERS = 8
const random = seeded(50)

const folder = newFolder()
const env = { DATABASE_URL: onPostgres ? url : `file:${join(folder, 'tollgate.db')}` }
const upstream = await fakeUpstream()
/** The number in a question is what its answer says to have used: a bill tells whose it is. */
const numberOf = (call: Call) => Number((call.body.messages as { content: string }[])[0]!.content)
const usageOf = (id: number) => ({ prompt_tokens: id, completion_tokens: 1, total_tokens: id + 1 })
upstream.says(model, (call, answer) =>
  chat({ usage: usageOf(numberOf(call)), pause_ms: numberOf(call) % 3 })(call, answer),
)
const costOf = (id: number) => Math.round((id + price.completion_ratio) * price.model_ratio)

let server: Server | undefined
afterAll(async () => {
  await server?.stop('SIGKILL')
  upstream.stop()
})

/** Every question, and whether its answer came whole. */
const asked: boolean[] = [false]

async function askUntil(isOver: () => boolean, key: string) {
  while (!isOver()) {
    const id = asked.push(false) - 1
    const { whole } = await ask(server!.url, key, { model, stream: id % 2 === 0, content: String(id) }).catch(() => ({
      whole: false,
    }))
    asked[id] = whole
  }
}

async function billed() {
  const sql = new SQL(onPostgres ? url : `sqlite://${join(folder, 'tollgate.db')}`)
  const rows = await sql`select prompt_tokens, quota from logs where type = 2`
  const [user] = await sql`select quota from users`
  await sql.close()
  return {
    ids: rows
      .map((row: { prompt_tokens: string }) => Number(row.prompt_tokens))
      .sort((a: number, b: number) => a - b) as number[],
    balance: Number(user.quota),
  }
}

async function checkBooks() {
  const { ids, balance } = await billed()
  const once = new Set(ids)
  expect(ids).toHaveLength(once.size)
  expect(asked.flatMap((whole, id) => (whole && !once.has(id) ? [id] : []))).toEqual([])
  const sent = new Set<number>()
  for (const call of upstream.journal) if ((await call.ended) === 'completed') sent.add(numberOf(call))
  expect(ids.filter(id => !sent.has(id))).toEqual([])
  expect(balance).toBe(ROOT_QUOTA - ids.reduce((sum, id) => sum + costOf(id), 0))
}

test(`${CRASHES} crashes under load lose nothing and double nothing`, async () => {
  server = await startServer({ folder, env })
  const key = await makeSite(server.url, upstream, model)
  for (let crash = 0; crash < CRASHES; crash++) {
    let over = false
    const load = Array.from({ length: WORKERS }, () => askUntil(() => over, key))
    const audit = crash % 5 === 0 ? run(['audit'], { folder, env }) : undefined
    await Bun.sleep(20 + random(LOAD_MS_MAX))
    over = true
    await server.stop('SIGKILL')
    await Promise.all(load)
    if (audit) expect(await audit).toMatchObject({ code: 0 })
    server = await startServer({ folder, env })
    await checkBooks()
  }
  expect(asked.filter(Boolean).length).toBeGreaterThan(CRASHES)
  expect(await run(['audit'], { folder, env })).toMatchObject({ code: 0 })
}, 180_000)
