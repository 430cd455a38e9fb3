// @engine postgres
// @waits
/**
 * Two nodes on one database: callbacks that reach both and their polls race for the end of a drawing, and its failure is
 * refunded once. In the long tier 200 drawings race.
 */
import { expect, test } from 'bun:test'
import { newInstallation, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { makeSite, setOption } from '../support/app/site.ts'
import { inTier } from '../support/tier.ts'
import { until } from '../support/until.ts'
import { drawn, MJ_SECRET, midjourneyUpstream } from '../support/upstream/midjourney.ts'

const DRAWINGS = inTier({ short: 20, long: 200 })
/** Quota of a drawing. */
const PRICE = 50_000

const maker = await midjourneyUpstream()
const place = await newInstallation()
const first = await startAt(place)
const key = await makeSite(first.url, maker, 'mj_imagine', { type: 5, key: MJ_SECRET })
await setOption(first.url, 'ServerAddress', first.url)
await setOption(first.url, 'MjNotifyEnabled', true)
// Started last: it knows channel and options from its start.
const second = await startAt(place)
const nodes = [first, second]

async function imagine(at: number): Promise<string> {
  const response = await fetch(`${nodes[at % 2]!.url}/mj/submit/imagine`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: `Gate ${at}` }),
  })
  const { code, result }: any = await response.json()
  expect([response.status, code]).toEqual([200, 1])
  return result
}

/** @returns the status of a callback that a node was sent */
async function push(node: number, path: string, state: object): Promise<number> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(state) }
  return (await fetch(nodes[node]!.url + path, init)).status
}

interface Row {
  upstream_id: string
  task_id: string
  status: string
  refunded: number
}

test('callbacks to two nodes and their polls race for each end: one transition, one refund', async () => {
  const ids = await Promise.all(Array.from({ length: DRAWINGS }, (_, at) => imagine(at)))
  const paths = new Map(
    maker.submits().map(({ body }) => [body.prompt as string, new URL(body.notifyHook as string).pathname]),
  )
  const statuses = ids.map(async (id, at) => {
    const state = at % 3 ? { id, status: 'FAILURE', failReason: 'no' } : { id, ...drawn() }
    maker.tells(id, state)
    const path = paths.get(`Gate ${at}`)!
    return Promise.all([push(0, path, state), push(1, path, state), push(0, path, state), push(1, path, state)])
  })
  expect(new Set((await Promise.all(statuses)).flat())).toEqual(new Set([204]))
  await until(async () => !(await place.read("select 1 from tasks where status not in ('SUCCESS', 'FAILURE')")).length)

  const rows = (await place.read('select * from tasks order by id')) as Row[]
  const failed = rows.filter(({ upstream_id }) => ids.indexOf(upstream_id) % 3)
  expect(rows.filter(({ status }) => status === 'FAILURE')).toEqual(failed)
  expect(failed.map(({ refunded }) => Number(refunded))).toEqual(failed.map(() => PRICE))
  const refunds = (await place.read("select reference from ledger where kind = 'refund'")) as { reference: string }[]
  expect(refunds.map(({ reference }) => reference).sort()).toEqual(failed.map(({ task_id }) => task_id).sort())
  expect(await run(['audit', '--bills'], place)).toMatchObject({
    code: 0,
    out: expect.stringContaining('audit: clean'),
  })
})
