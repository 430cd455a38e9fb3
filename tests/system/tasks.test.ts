// @engine sqlite
// @waits
/** Tasks of real processes that are killed: before the answer of an upstream, and while a song is made. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { newFolder, run, type Server, startServer } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { until } from '../support/until.ts'
import { SUNO_KEY, song, sunoUpstream } from '../support/upstream/suno.ts'

const folder = newFolder()
const env = { SECRET_KEY: 'a'.repeat(64), DATABASE_URL: `file:${join(folder, 'tollgate.db')}` }
const maker = await sunoUpstream()

let server: Server
let key: string
beforeAll(async () => {
  server = await startServer({ folder, env })
  key = await makeSite(server.url, maker, 'suno_music', { type: 36, key: SUNO_KEY })
})
afterAll(() => server.stop('SIGKILL'))

const call = (path: string, body?: object) =>
  fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer sk-${key}` },
    body: body && JSON.stringify(body),
  })

const submit = () => call('/suno/submit/music', { prompt: 'A song about a gate' })

async function killAndRestart() {
  await server.stop('SIGKILL')
  server = await startServer({ folder, env })
}

async function rows() {
  const sql = new SQL(`sqlite://${join(folder, 'tollgate.db')}`)
  const found: any[] = await sql`select status, charged, refunded, outcome_unknown from tasks order by id`
  await sql.close()
  return Array.from(found, row => ({ ...row }))
}

test('a killed process loses no accepted song, and charges for none that it lost', async () => {
  const accepted = ((await (await submit()).json()) as any).data
  const gate = Promise.withResolvers<void>()
  maker.scripts.submit = () => gate.promise
  const lost = submit().catch(() => undefined)
  await until(async () => maker.submits().length === 2)
  expect(await rows()).toMatchObject([
    { status: 'SUBMITTED', charged: 50_000 },
    { status: 'NOT_START', charged: 0 },
  ])
  await killAndRestart()
  gate.resolve()
  await lost
  maker.tells([...maker.tasks.keys()][0]!, { status: 'SUCCESS', data: [song()] })
  await until(async () => (await rows()).every(({ status }) => status === 'SUCCESS' || status === 'FAILURE'))
  expect(await rows()).toMatchObject([
    { status: 'SUCCESS', charged: 50_000, refunded: 0, outcome_unknown: 0 },
    { status: 'FAILURE', charged: 0, refunded: 0, outcome_unknown: 1 },
  ])
  expect(await (await call(`/suno/fetch/${accepted}`)).json()).toMatchObject({
    data: { status: 'SUCCESS', data: [song()] },
  })
  const audit = await run(['audit', '--bills'], { folder, env })
  expect(audit).toMatchObject({ code: 0, out: expect.stringContaining('audit: clean') })
})
