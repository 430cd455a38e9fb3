/** Every registered form of the console with invalid fields. */
import { expect, test } from 'bun:test'
import { isOfRelay, many, routes } from '../support/app/routes.ts'
import { anyone, type Person, setUp } from '../support/people/person.ts'
import { casesInTier, rowsInTier } from '../support/tier.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const machines = /^\/(api|dashboard|custom|build|healthz|readyz)(\/|$)/
const pages = routes.filter(route => !machines.test(route.path) && !isOfRelay(route) && !route.path.includes('*'))
const posts = many(pages.filter(({ method, path }) => method === 'POST' && !/\/(logout|sign-out)$/.test(path)))

const names =
  `name username password confirmPassword mode returnTo theme zone language columns ids action confirm status
  priority weight turn type key models group base_url count remain_quota expired_time display_name quota_delta
  concurrency_limit title content format to user_ids user_keyword user_page`.split(/\s+/)

/** What opens the forms that share an address. */
const openings = ['?new', '?edit=1', '?delete=1', '?selected', '?edit=abc&delete=-1', '?quota=1', '?regroup=1']
/** A copy takes no field. */
const addresses = posts
  .filter(({ path }) => !path.endsWith('/copy'))
  .flatMap(({ path }) =>
    ['/app/tokens', '/admin/channels', '/admin/messages', '/admin/users'].includes(path)
      ? [path, ...openings.map(opening => path + opening)]
      : [path],
  )

const root = await setUp()
await makeChannel(root, { base_url: 'http://127.0.0.1:1' })
await root.post('/api/token/', { name: 'kept' })
await root.post('/api/admin/messages', { title: 'kept', content: 'kept', all: true })

/** The statuses with which everyone's form is answered; who gets no answer at all has thrown here. */
async function sentBy(person: Person, path: string, fields: Record<string, string | string[]>): Promise<number> {
  const { status } = await person.form(path.replaceAll(/:\w+/g, '1'), fields)
  return status
}

const filled = (value: string | string[], suffix = '') => Object.fromEntries(names.map(name => [name + suffix, value]))

const kinds: [what: string, fields: Record<string, string | string[]>][] = [
  ['nothing', {}],
  ['lists where one value belongs', filled(['a', 'b'], '[]')],
  ['a list of one', filled('a', '[]')],
  ['numbers that are none', filled('1e999')],
  ['what no field means', filled('%_\'"\\<script>')],
  ['names of objects', { __proto__: 'a', constructor: 'b', toString: 'c', 'hasOwnProperty[]': 'd' }],
]

test.each(rowsInTier(addresses, kinds, 2).map(([[what, fields], rows]) => [what, fields, rows] as const))(
  'a form with %s is answered without an internal error',
  async (_, fields, rows) => {
    for (const address of rows) {
      for (const person of [root, anyone]) {
        const status = await sentBy(person, address, fields)
        expect([address, person.username, status < 500]).toEqual([address, person.username, true])
      }
    }
    // The deletion of one key takes no field; it is undone.
    await root.form('/app/tokens/1/restore')
    expect((await root.get('/api/token/')).total).toBe(1)
    expect((await root.get('/api/channel/')).total).toBe(1)
  },
)

/** The preview has to know what it is of before it reads its text. */
const addressOf = (path: string) =>
  path
    .replace(':action', 'enable')
    .replaceAll(/:\w+/g, '1')
    .replace(/\/preview$/, '/preview?key=Notice')

const raw = (path: string, body: BodyInit) =>
  root.fetch(addressOf(path), {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-csrf-token': root.csrf },
  })

test('a form that is no UTF-8, or too large, is refused', async () => {
  const large = `name=${'x'.repeat(1_100_000)}`
  for (const [row, { path }] of many(posts.filter(({ path }) => !/^\/(setup|login|register)/.test(path))).entries()) {
    const sent = [
      ['a zero byte', 'name=a\0b', 400],
      ['a written zero byte', 'name=a%00b', 400],
      ['broken UTF-8', new Uint8Array([0x61, 0x3d, 0xc3, 0x28]), 400],
      ['too large', large, 413],
      ['too large, in pieces', new Blob([large]).stream(), 413],
    ] as const
    for (const [what, body, status] of casesInTier(sent, row, 2)) {
      expect([path, what, (await raw(path, body)).status]).toEqual([path, what, status])
    }
  }
})

test('every named handler is async, or Elysia may not await its promise', () => {
  const plain = routes.filter(({ handler }) => String(handler).startsWith('function'))
  expect(plain.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

const odd = ['abc', '-1', '0', '1.5', '9007199254740993', '%ff', "1'--"]
const oddQueries = [
  'p=999999999999999',
  'p=-1&edit=-1&open=x&user=x&type=x&channel=1e99',
  'quota=9e99&ledger=-1&devices=x&tokens=1.5&lp=-1&regroup=1,a,,-5',
  'ledger=1&lp=999999999999999',
  'edit=9007199254740993&delete=9007199254740993&keys=1,a,,-5&created=9e99',
  'range=custom&from=0000-00-00T00:00&to=99999-01-01T00:00',
  'range=custom&from=9999-12-31T23:59&to=0001-01-01T00:00&p=2',
  `keyword=${encodeURIComponent('%_\\\'"')}&group=%25&model=%5C&model_name=${'a*'.repeat(40)}`,
  'keyword=%ff&username=%ED%A0%80&new&edit=1&delete=1&selected=&status=7',
  'range=custom&from=0000-00-00T00:00&to=99999-01-01&edit=1&recipients=999999999999999',
]

test('an odd address of a page is answered without an internal error', async () => {
  for (const [row, { path }] of many(pages.filter(({ method }) => method === 'GET')).entries()) {
    const addresses = path.includes(':')
      ? casesInTier(odd, row, 2).map(id => path.replaceAll(/:\w+/g, id))
      : casesInTier(oddQueries, row, 3).map(query => `${path}?${query}`)
    for (const address of addresses) {
      const { status } = await root.page(address)
      expect([address, status < 500]).toEqual([address, true])
    }
  }
})
