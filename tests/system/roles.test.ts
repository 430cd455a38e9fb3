// @engine postgres
/** ROLE: a node serves its part of the site, and says so where a balancer has sent it something else. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { residentMb } from '../support/app/resident-memory.ts'
import { newFolder, run, type Server } from '../support/app/server.ts'
import { type Member, sendWell } from '../support/people/member.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
upstream.scripts(MODEL, chat())

const place = await newInstallation()
place.env = { ...place.env, SECRET_KEY: 'the key of one installation', METRICS_ALLOW: '127.0.0.0/8' }
const startAs = (ROLE: string) => startAt({ ...place, folder: newFolder(), env: { ...place.env, ROLE } })
const nodes = {} as Record<'console' | 'relay' | 'jobs', Server>
let root: Pick<Member, 'headers'>
let key: string

beforeAll(async () => {
  nodes.console = await startAs('console')
  await setUpAt(nodes.console)
  root = await signInAt(nodes.console)
  const at = nodes.console.url
  const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
  await sendWell(at, root, '/api/channel/', { body: channel })
  const prices = { key: 'ModelRatio', value: JSON.stringify({ [MODEL]: 1 }) }
  await sendWell(at, root, '/api/option/', { method: 'PUT', body: prices })
  key = (await sendWell(at, root, '/api/token/', { body: { name: 'key', unlimited_quota: true } })).data.key
  nodes.relay = await startAs('relay')
  nodes.jobs = await startAs('jobs')
})

const bodyOf = (content: string) => JSON.stringify({ model: MODEL, messages: [{ role: 'user', content }] })

const english = { 'accept-language': 'en' }
const get = (path: string) => (url: string) =>
  fetch(url + path, { headers: { ...english, authorization: `Bearer sk-${key}` } })
const post = (path: string, headersFor: (url: string) => Record<string, string>) => (url: string) =>
  fetch(url + path, { method: 'POST', headers: { ...english, ...headersFor(url) }, body: bodyOf('Hi') })

const calls = {
  chat: post('/v1/chat/completions', () => ({ authorization: `Bearer sk-${key}` })),
  models: get('/v1/models'),
  usage: get('/api/usage/token'),
  playground: post('/pg/chat/completions', origin => ({ ...root.headers, origin })),
  page: get('/login'),
  status: get('/api/status'),
  healthz: get('/healthz'),
  readyz: get('/readyz'),
  metrics: get('/metrics'),
}

const served: Record<keyof typeof nodes, (keyof typeof calls)[]> = {
  console: ['playground', 'page', 'status', 'healthz', 'readyz', 'metrics'],
  relay: ['chat', 'models', 'usage', 'healthz', 'readyz', 'metrics'],
  jobs: ['healthz', 'readyz', 'metrics'],
}

test.each(Object.keys(served) as (keyof typeof nodes)[])(
  'a node with ROLE=%s serves its part, and answers 404 with its role to all else',
  async role => {
    for (const [name, call] of Object.entries(calls)) {
      const response = await call(nodes[role].url)
      const text = await response.text()
      const isServed = served[role].includes(name as keyof typeof calls)
      expect([name, response.status]).toEqual([name, isServed ? 200 : 404])
      if (!isServed) expect(text).toContain(`This node serves another part of this site (ROLE=${role})`)
    }
  },
)

test('pages that are asked of a node that relays load no console there', async () => {
  const askAll = async ({ url }: Server) => {
    for (const path of ['/login', '/', '/pricing', '/api/status', '/app/tokens']) await (await get(path)(url)).text()
  }
  const [relay, withConsole] = [await startAs('relay'), await startAs('console')]
  await Promise.all([relay, withConsole].map(askAll))
  const more_mb = residentMb(withConsole.process.pid) - residentMb(relay.process.pid)
  // 28 MB where nothing else runs.
  expect(more_mb).toBeGreaterThan(10)
})

test('ROLE=all is what no ROLE is, and another value or SQLite is refused', async () => {
  const env = { ...place.env, ROLE: 'all' }
  const all = await startAt({ ...place, folder: newFolder(), env })
  for (const [name, call] of Object.entries(calls)) {
    // A session belongs to the site, whichever node is asked.
    expect([name, (await call(all.url)).status]).toEqual([name, 200])
  }
  const refusalOf = async (more: Record<string, string>) => (await run(['serve'], { env: more })).err.trim()
  expect(await refusalOf({ ROLE: 'worker' })).toStartWith('tollgate: bad setting ROLE:')
  for (const ROLE of ['relay', 'console', 'jobs'])
    expect(await refusalOf({ ROLE })).toBe(
      'tollgate: bad setting ROLE: relay, console and jobs need a DATABASE_URL of PostgreSQL: SQLite has one process, which does all',
    )
})
