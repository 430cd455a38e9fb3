/** Every search box of the console and the API: `%`, `_` and `\` stand for themselves, however many come. */
import { expect, test } from 'bun:test'
import { LogType } from '../../src/contracts/log.ts'
import { accessOf, routes } from '../support/app/routes.ts'
import { setUp } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'
import { casesInTier } from '../support/tier.ts'
import { makeChannel } from '../support/upstream/channel.ts'

/** The beginning of everything that is there to be found, and the whole. */
const PART = 'zqneedle'
const WHOLE = 'zqneedlehay'

const root = await setUp()
await root.post('/api/user/', { username: WHOLE, password: 'opensesame', display_name: WHOLE })
await root.post('/api/token/', { name: WHOLE })
await makeChannel(root, { name: WHOLE, models: WHOLE, group: WHOLE })
await root.post('/api/redemption/', { name: WHOLE, quota: 5 })
// A pattern of many wildcards takes longest with a long text that does not match.
await root.post('/api/admin/messages', { user_ids: [root.id], title: WHOLE, content: `${WHOLE} ${'a'.repeat(5000)}` })
await write(root, { type: LogType.error, content: WHOLE, model_name: WHOLE, token_name: WHOLE, group: WHOLE })

/** Every text that a list takes with its address, from the route table. */
const boxes = (routes as { method: string; path: string; hooks?: { query?: { shape?: object } } }[])
  .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
  .flatMap(({ path, hooks }) => Object.keys(hooks?.query?.shape ?? {}).map(name => [path, name] as const))
  .filter(([, name]) => !/^(p|page_size|new|open|edit|delete|from|to|range|\w+_(timestamp|date))$/.test(name))
  .filter(([path]) => accessOf.get(`GET ${path}`) !== undefined)

const bodyOf = async (path: string, name: string, text: string) => {
  const response = await root.fetch(`${path}?${new URLSearchParams({ [name]: text })}`)
  return { status: response.status, text: await response.text() }
}
const finds = async (path: string, name: string, text: string) => (await bodyOf(path, name, text)).text.includes(WHOLE)

/** Those in which a part of a name finds it. One at a time: few exports run at once. */
const searches: (readonly [path: string, name: string])[] = []
for (const [path, name] of boxes) {
  // Other parameters do not choose what is listed.
  if (await finds(path, name, 'no-such-name')) continue
  if ((await finds(path, name, PART)) || (await finds(path, name, '%'))) searches.push([path, name])
}

test('the route table has these search boxes', () => {
  const pages = ['/admin/audit', '/admin/coupons', '/admin/messages', '/admin/users', '/palette']
  const exports = ['audit', 'channels', 'coupons', 'messages', 'users'].map(noun => `/admin/${noun}/export.csv`)
  const nouns = ['admin/messages', 'channel', 'log', 'log/self', 'redemption', 'token', 'user']
  const calls = ['/api/audit/', '/api/user/', ...nouns.map(noun => `/api/${noun}/search`)]
  const suggestions = ['channels', 'models', 'tokens', 'users'].map(noun => `/api/suggestions/${noun}`)
  expect([...new Set(searches.map(([path]) => path))].sort()).toEqual(
    [...pages, ...exports, '/app/tokens/export.csv', ...calls, ...suggestions].sort(),
  )
})

/** What SQL would read as a pattern that fits everything, or everything of this length; the last are more than it takes. */
const patterns = [
  ...['%', '_', '%%%%', '\\', '\\%', `${PART}%`, `${PART.slice(0, -1)}_`, `%${PART}`, '_'.repeat(WHOLE.length)],
  ...['%'.repeat(10_000), '_'.repeat(10_000), '\\'.repeat(10_000), `${'%a'.repeat(2000)}b`, '%'.repeat(60_000)],
]
const WAIT_MS = 5000

test.each(searches.map(([path, name], row) => [path, name, row] as const))(
  'GET %s: no character of %s is a pattern',
  async (path, name, row) => {
    for (const text of casesInTier(patterns, row, 4)) {
      const began_at = performance.now()
      const { status, text: body } = await bodyOf(path, name, text)
      const shown = [text.slice(0, 20), text.length, status < 500, body.includes(WHOLE)]
      expect(shown).toEqual([text.slice(0, 20), text.length, true, false])
      expect(performance.now() - began_at).toBeLessThan(WAIT_MS)
    }
  },
)

test('the picker of recipients takes no character for a pattern', async () => {
  const username = 'zqpicked'
  await root.post('/api/user/', { username, password: 'opensesame' })
  const listed = async (user_keyword: string) => {
    const response = await root.form('/admin/messages/recipients', { user_keyword, recipients: 'some' })
    return [user_keyword.slice(0, 20), response.status, (await response.text()).includes(username)]
  }
  expect(await listed('zqpick')).toEqual(['zqpick', 200, true])
  for (const text of patterns) expect(await listed(text)).toEqual([text.slice(0, 20), 200, false])
})
