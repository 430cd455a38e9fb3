// @engine postgres
// @waits
/** Forms that a double click sends twice, each time to another node, at once, one after another, and after a crash: once. */
import { afterAll, expect, test } from 'bun:test'
import { startAt } from '../support/app/installation.ts'
import type { Server } from '../support/app/server.ts'
import { ask } from '../support/app/site.ts'
import { COMMIT_REPLY, TcpProxy } from '../support/cluster/tcp-proxy.ts'
import { mailSink } from '../support/mail/sink.ts'
import { apiKeys, MODEL, members, place, root, running } from '../support/money/server.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'

const first = running.server
const second = await startAt(place)
const sink = await mailSink()
for (const [key, value] of Object.entries({ ...sink.settingsOfSite(), ServerAddress: 'https://gate.example' }))
  await sendWell(first.url, root, '/api/option/', { method: 'PUT', body: { key, value } })

const ann = members[1]!
const MAIL = 'ann@example.com'
await place.change(`update users set email = '${MAIL}' where id = ${ann.id}`)
/** Root, as a browser knows itself. */
const session = { cookie: root.headers.cookie, csrf: '' }
const valueIn = (html: string, name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1]
const page = async (url: string, path: string, cookie = session.cookie) =>
  (await fetch(url + path, { headers: { cookie, accept: 'text/html' } })).text()
session.csrf = valueIn(await page(first.url, '/app/tokens'), 'csrf')!

const countOf = async (rows: string) =>
  Number(((await place.read(`select count(*) as count from ${rows}`)) as { count: unknown }[])[0]!.count)

interface Case {
  /** File of `src/console` that takes the form. */
  file: string
  name: string
  /** A new one each time; `id` is unique. */
  form(id: string): Promise<{ path: string; fields: Record<string, string> }> | { path: string; fields: object }
  /** What it makes, as `from` and `where`. */
  made(id: string): string
  isVisitor?: boolean
}

async function billedCall(): Promise<number> {
  await ask(first.url, apiKeys[0]!, { model: MODEL, content: '900' })
  const newest = `select id from logs where type = 2 and user_id = ${members[0]!.id} order by id desc limit 1`
  await until(async () => (await place.read(newest)).length === 1, 'the bill')
  return Number(((await place.read(newest)) as { id: unknown }[])[0]!.id)
}

const rootId = Number(root.headers['tollgate-user'])
const ofRoot = (kind: string, id: string) => `ledger where kind = '${kind}' and user_id = ${rootId} and '${id}' <> ''`
const cases: Case[] = [
  {
    ...{ file: 'tokens/pages.tsx', name: 'API key' },
    form: id => {
      const limits = { expired_time: '', rate_limit_period: '60', rate_limit_count: '0', rate_limit_success: '0' }
      return {
        path: '/app/tokens',
        fields: { name: id, unlimited_quota: 'on', count: '1', used_quota: '0', ...limits },
      }
    },
    made: id => `tokens where name = '${id}'`,
  },
  {
    ...{ file: 'users/pages.tsx', name: 'user' },
    form: id => ({ path: '/admin/users', fields: { username: id, password: 'long-enough' } }),
    made: id => `users where username = '${id}'`,
  },
  {
    ...{ file: 'users/pages.tsx', name: 'top-up of a user' },
    form: id => ({ path: `/admin/users/${ann.id}/quota`, fields: { quota_delta: '1', remark: id } }),
    made: id => `ledger where remark = '${id}'`,
  },
  {
    ...{ file: 'users/pages.tsx', name: 'top-up of a selection' },
    form: id => ({ path: `/admin/users/${ann.id}/add-quota`, fields: { quota_delta: '1', remark: id } }),
    made: id => `ledger where remark = '${id}'`,
  },
  {
    ...{ file: 'redemption/pages.tsx', name: 'code' },
    form: id => ({ path: '/admin/coupons', fields: { name: id, quota: '1', count: '1' } }),
    made: id => `redemptions where name = '${id}'`,
  },
  {
    ...{ file: 'budget-drawers.tsx', name: 'budget' },
    // Two budgets of the same models and windows refuse each other.
    form: id => {
      const sent = { name: id, amount: '5', unit: 'calls', window: 'all', models: id, refuses: 'true' }
      return { path: `/admin/users/${ann.id}/budgets`, fields: sent }
    },
    made: id => `budgets where name = '${id}'`,
  },
  {
    ...{ file: 'messages/pages.tsx', name: 'message' },
    form: id => ({ path: '/admin/messages', fields: { title: id, content: 'text', format: 'markdown', to: 'all' } }),
    made: id => `messages where title = '${id}'`,
  },
  {
    ...{ file: 'channels/pages.tsx', name: 'channel' },
    form: id => {
      const sent = { name: id, type: '1', key: 'sk-1', models: 'other', 'group[]': 'default' }
      return { path: '/admin/channels', fields: { ...sent, priority: '0', weight: '0' } }
    },
    made: id => `channels where name = '${id}'`,
  },
  {
    ...{ file: 'wallet/pages.tsx', name: 'order' },
    form: async () => {
      const html = await page(first.url, '/app/wallet?amount=2&method=alipay&confirm=1')
      const money_cents = valueIn(html, 'money_cents')!
      return { path: '/app/wallet/pay', fields: { amount: '2', method: 'alipay', money_cents } }
    },
    made: id => `orders where user_id = ${rootId} and '${id}' <> ''`,
  },
  {
    ...{ file: 'logs/pages.tsx', name: 'refund of a call' },
    form: async id => ({
      path: `/app/logs/api-usage/${await billedCall()}/refund`,
      fields: { amount: '0.0001', remark: id },
    }),
    made: id => `ledger where remark = '${id}'`,
  },
  {
    ...{ file: 'me/rewards.tsx', name: 'check-in' },
    form: async () => {
      await place.change(`delete from check_ins where user_id = ${rootId}`)
      await place.change(`delete from ledger where kind = 'check_in' and user_id = ${rootId}`)
      await place.change(`update users set last_check_in_day = null where id = ${rootId}`)
      return { path: '/app/me/check-in', fields: {} }
    },
    made: id => ofRoot('check_in', id),
  },
  {
    ...{ file: 'me/rewards.tsx', name: 'transfer' },
    form: async () => {
      await place.change(`update users set aff_quota = 1000000 where id = ${rootId}`)
      return { path: '/app/me/transfer', fields: { quota: '1' } }
    },
    made: id => ofRoot('transfer', id),
  },
  {
    ...{ file: 'registration/pages.tsx', name: 'registration', isVisitor: true },
    form: id => {
      const sent = { username: id, password: 'long-enough', password2: 'long-enough' }
      return { path: '/register', fields: { ...sent, action: 'register' } }
    },
    made: id => `users where username = '${id}'`,
  },
  {
    ...{ file: 'password-reset/pages.tsx', name: 'password reset', isVisitor: true },
    form: async () => {
      await place.change(`delete from one_time_secrets where purpose = 'reset'`)
      await sendWell(first.url, { headers: {} }, `/api/reset_password?email=${MAIL}`, { method: 'GET' })
      const link = new URL(/https:[^\s]+/.exec((await sink.next(MAIL)).text!)![0])
      return { path: '/user/reset', fields: { email: MAIL, token: link.searchParams.get('token')! } }
    },
    made: id => `users where id = ${ann.id} and '${id}' <> ''`,
  },
]

/** As a browser without JavaScript. @returns what the visitor sees of it: where it leads, or the password */
async function send({ url }: Server, { isVisitor }: Case, { path, fields }: { path: string; fields: object }) {
  const body = new URLSearchParams({ ...fields, ...(!isVisitor && { csrf: session.csrf }) })
  const headers: Record<string, string> = isVisitor ? {} : { cookie: session.cookie }
  const response = await fetch(url + path, { method: 'POST', body, headers, redirect: 'manual' })
  const html = await response.text()
  return [response.status, response.headers.get('location'), /value="(\w{16})"/.exec(html)?.[1]]
}

let unique = 0
async function filled(one: Case) {
  const id = `form${++unique}`
  const { path, fields } = await one.form(id)
  const before = await countOf(one.made(id))
  const made = async () => (await countOf(one.made(id))) - (one.name === 'password reset' ? 0 : before)
  return { sent: { path, fields: { ...fields, form_id: id } }, made }
}

test('every page that takes a form once is in the cases', async () => {
  const files = await Array.fromAsync(new Bun.Glob('**/*.{ts,tsx}').scan('src/console'))
  const uses = await Promise.all(
    files.map(async file =>
      (await Bun.file(`src/console/${file}`).text()).match(/await idempotent\(/g)?.map(() => file),
    ),
  )
  expect(uses.flatMap(found => found ?? []).sort()).toEqual(cases.map(({ file }) => file).sort())
})

test.each(cases.map(one => [one.name, one] as const))('a form for %s runs once at two nodes', async (_, one) => {
  for (const isAtOnce of [true, false]) {
    const { sent, made } = await filled(one)
    const halves = isAtOnce
      ? await Promise.all([send(first, one, sent), send(second, one, sent)])
      : [await send(first, one, sent), await send(second, one, sent)]
    expect([isAtOnce, ...halves]).toEqual([isAtOnce, halves[0]!, halves[0]!])
    expect([303, 200]).toContain(halves[0]![0] as number)
    expect(await made()).toBe(1)
  }
})

const crashed = cases.filter(({ name }) => ['API key', 'top-up of a user', 'code', 'order'].includes(name))

test.each(crashed.map(one => [one.name, one] as const))(
  'a form for %s whose node ends between its commit and its answer runs once',
  async (_, one) => {
    const proxy = await TcpProxy.before(place.env.DATABASE_URL!)
    afterAll(() => proxy.stop())
    const doomed = await startAt(place, { env: { ...place.env, DATABASE_URL: proxy.through() } })
    const { sent, made } = await filled(one)
    proxy.loseReplies(COMMIT_REPLY, { silent: true })
    const half = send(doomed, one, sent).catch(() => 'ended')
    await until(async () => (await made()) === 1, 'the commit')
    expect(proxy.lost).toBe(1)
    await doomed.stop('SIGKILL')
    expect(await half).toBe('ended')
    const [status] = await send(second, one, sent)
    expect([status, await made()]).toEqual([303, 1])
  },
)
