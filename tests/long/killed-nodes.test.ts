// @engine postgres
// @waits
/**
 * kill -9 of one of two nodes under calls, and PostgreSQL that is restarted under them: no bill without its call, none
 * lost and none doubled. `NODE_KILLS=20 DATABASE_RESTARTS=20` for the whole measure.
 */
import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type Installation, newInstallation, startAt } from '../support/app/installation.ts'
import { newFolder } from '../support/app/server.ts'
import { NumberedCalls } from '../support/cluster/numbered-calls.ts'
import { TcpProxy } from '../support/cluster/tcp-proxy.ts'
import { startPostgres } from '../support/postgres/server.ts'
import { until } from '../support/until.ts'

const KILLS = Number(process.env.NODE_KILLS ?? 2)
const RESTARTS = Number(process.env.DATABASE_RESTARTS ?? 3)
const CALLERS = 16
const FREE_SECONDS = 25
/** Each group has as long as any test. */
const AT_A_TIME = 5

const figures: object[] = []
afterAll(() => process.env.NODE_KILLS && process.stderr.write(`${JSON.stringify(figures)}\n`))

const firsts = (count: number) => Array.from({ length: Math.ceil(count / AT_A_TIME) }, (_, group) => group * AT_A_TIME)

const place = await newInstallation()
const nodes = [await startAt(place)]
const calls = await NumberedCalls.at(place, nodes[0]!.url)
nodes.push(await startAt(place))

/** Of nodes that are no more, with what they held. */
const heldByTheDead = async (id: string) =>
  Number(((await place.read(`select count(*) as count from reservations where node = '${id}'`)) as any)[0].count)

test.each(firsts(KILLS))('kill -9 %i of a node under calls and those after it lose and double nothing', async first => {
  for (let kill = first; kill < Math.min(KILLS, first + AT_A_TIME); kill++) {
    const before = (await place.read('select id from nodes')) as { id: string }[]
    let turn = 0
    const stop = calls.start(CALLERS, () => nodes[turn++ % 2]!.url)
    const [start, served] = [performance.now(), calls.total]
    await Bun.sleep(1500)
    const rate = (calls.total - served) / ((performance.now() - start) / 1000)
    await nodes[kill % 2]!.stop('SIGKILL')
    const killed = performance.now()
    await stop()
    await until(
      async () => ((await place.read('select id from nodes')) as object[]).length === 1,
      'the dead node is gone',
    )
    const [left] = (await place.read('select id from nodes')) as { id: string }[]
    const dead = before.find(({ id }) => id !== left!.id)!
    await until(async () => (await heldByTheDead(dead.id)) === 0, 'what it held is free')
    const free_seconds = (performance.now() - killed) / 1000
    expect(free_seconds).toBeLessThan(FREE_SECONDS)
    figures.push({ kill, rate: Math.round(rate), free_seconds })
    nodes[kill % 2] = await startAt(place)
    await calls.check()
  }
})

/** A server of its own, whose commits are in its log before they are answered, and which ends as if it had crashed. */
async function restartable() {
  const folder = mkdtempSync(join(tmpdir(), 'restarted-'))
  chmodSync(folder, 0o711)
  const start = () => startPostgres(folder, ['synchronous_commit=on'])
  const running = { server: await start() }
  afterAll(() => running.server.stop())
  await running.server.create('books')
  const read = async (query: string) => {
    const sql = new SQL(running.server.url('books'), { max: 1 })
    const rows = await sql.unsafe(query)
    await sql.close()
    return Array.from(rows as unknown[])
  }
  return { running, start, read }
}

test.each(firsts(RESTARTS))(
  'restart %i of PostgreSQL under calls and those after it lose no bill and make none without its call',
  async first => {
    const { running, start, read } = await restartable()
    const proxy = await TcpProxy.before(running.server.url('books'))
    const at: Installation = {
      folder: newFolder(),
      env: { DATABASE_URL: proxy.through() },
      read,
      change: async statement => void (await read(statement)),
      release: async () => {},
    }
    const pair = [await startAt(at)]
    const served = await NumberedCalls.at(at, pair[0]!.url)
    pair.push(await startAt(at))
    let turn = 0
    const stop = served.start(CALLERS, () => pair[turn++ % 2]!.url)
    for (let restart = first; restart < Math.min(RESTARTS, first + AT_A_TIME); restart++) {
      await Bun.sleep(1000)
      const down = performance.now()
      await running.server.stop()
      running.server = await start()
      proxy.leadTo(running.server.url('books'))
      const before = served.whole.size
      await until(() => served.whole.size > before + CALLERS, 'calls are served again')
      figures.push({ restart, seconds: (performance.now() - down) / 1000 })
    }
    await stop()
    expect([...new Set(served.statuses)].filter(status => ![undefined, 200, 503].includes(status))).toEqual([])
    await served.check()
    figures.push({ calls: served.total, refused: served.statuses.filter(status => status === 503).length })
    for (const node of pair) await node.stop()
  },
)
