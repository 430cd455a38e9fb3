/** Ids of another user's devices, passkeys, keys and messages: refused exactly as ids that do not exist. */
import { expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { messageRecipients } from '../../src/domain/messages/table.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { passkeys } from '../../src/domain/two-factor/table.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const [ann, bob, admin] = [await visitor(), await visitor(), await visitor(Role.admin)]

const { id: token } = (await ann.post('/api/token/', { name: 'of-ann', remain_quota: 5 })).data
const { id: message } = (await root.post('/api/admin/messages', { title: 'a', content: 'b', user_ids: [ann.id] })).data
const [passkey] = await db
  .insert(passkeys)
  .values({ id: 'credential-of-ann-0123456789', user_id: ann.id, name: 'of-ann', public_key: 'k', created_time: 1 })
  .returning({ id: passkeys.id })
const [device] = (await ann.get('/api/user/sessions')).data

/** What belongs to Ann, whole. */
const owned = async () =>
  JSON.stringify([
    await db.select().from(tokens).where(eq(tokens.user_id, ann.id)),
    await db.select().from(passkeys).where(eq(passkeys.user_id, ann.id)),
    await db
      .select()
      .from(messageRecipients)
      .where(and(eq(messageRecipients.user_id, ann.id), eq(messageRecipients.message_id, message))),
    (await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.user_id, ann.id))).length,
  ])

const UNKNOWN = 987_654_321
const UNKNOWN_PASSKEY = 'credential-of-none-012345678'
const UNKNOWN_DEVICE = '0'.repeat(device.id.length)

type Attempt = (person: Person, id: number | string) => Promise<Response>

const json =
  (
    method: string,
    path: (id: number | string) => string,
    body: (id: number | string) => object = () => ({}),
  ): Attempt =>
  (person, id) =>
    person.fetch(path(id), { method, ...(method !== 'GET' && { body: JSON.stringify(body(id)) }) })
const form =
  (
    path: (id: number | string) => string,
    fields: (id: number | string) => Record<string, string> = () => ({}),
  ): Attempt =>
  (person, id) =>
    person.form(path(id), fields(id))

const attempts: [what: string, id: number | string, unknown: number | string, attempt: Attempt][] = [
  ['GET a key', token, UNKNOWN, json('GET', id => `/api/token/${id}`)],
  [
    'PUT a key',
    token,
    UNKNOWN,
    json(
      'PUT',
      () => '/api/token/',
      id => ({ id, name: 'taken' }),
    ),
  ],
  [
    'switch a key',
    token,
    UNKNOWN,
    json(
      'PUT',
      () => '/api/token/?status_only=true',
      id => ({ id, status: 2 }),
    ),
  ],
  ['DELETE a key', token, UNKNOWN, json('DELETE', id => `/api/token/${id}`)],
  [
    'the form of a key',
    token,
    UNKNOWN,
    form(
      id => `/app/tokens/${id}`,
      () => ({ name: 'taken' }),
    ),
  ],
  [
    'the deletion form of a key',
    token,
    UNKNOWN,
    form(
      id => `/app/tokens/${id}/delete`,
      () => ({ confirm: 'of-ann' }),
    ),
  ],
  [
    'the selection of a key',
    token,
    UNKNOWN,
    form(
      () => '/app/tokens/selected',
      id => ({ 'ids[]': `${id}`, action: 'delete' }),
    ),
  ],
  ['GET a message', message, UNKNOWN, json('GET', id => `/api/user/messages/${id}`)],
  ['mark a message', message, UNKNOWN, json('PUT', id => `/api/user/messages/${id}/read`)],
  ['the page of a message', message, UNKNOWN, (person, id) => person.page(`/app/inbox/${id}`)],
  [
    'rename a passkey',
    passkey!.id,
    UNKNOWN_PASSKEY,
    json(
      'PUT',
      id => `/api/user/passkeys/${id}`,
      () => ({ name: 'taken' }),
    ),
  ],
  ['DELETE a passkey', passkey!.id, UNKNOWN_PASSKEY, json('DELETE', id => `/api/user/passkeys/${id}`)],
  [
    'the form of a passkey',
    passkey!.id,
    UNKNOWN_PASSKEY,
    form(
      id => `/app/me/security/passkeys/${id}/rename`,
      () => ({ name: 'taken' }),
    ),
  ],
  ['the removal form of a passkey', passkey!.id, UNKNOWN_PASSKEY, form(id => `/app/me/security/passkeys/${id}/remove`)],
  ['DELETE a device', device.id, UNKNOWN_DEVICE, json('DELETE', id => `/api/user/sessions/${id}`)],
  ['the form of a device', device.id, UNKNOWN_DEVICE, form(id => `/app/me/security/sessions/${id}/end`)],
]

/** Status, way on and text of a response, without what differs in any two pages. */
/** What differs between two answers alike; a form token is masked anew for each. */
const random = /nonce[=-]"?[\w-]+|name="form_id" value="[^"]+"|req_[\w-]+|(?<=csrf\W+(?:value=")?)[\w-]{86}/g

async function decisionOf(response: Response, id: number | string) {
  const cookie = response.headers.getSetCookie().find(set => set.startsWith('notice=')) ?? ''
  const text = (await response.text()).replace(random, '')
  const plain = (part: string) =>
    part.replace(/req_[\w-]+/g, '').replace(new RegExp(`(?<=/|delete=)${id}(?!\\w)`, 'g'), 'ID')
  return [response.status, plain(response.headers.get('location') ?? ''), plain(cookie), Bun.hash(plain(text))]
}

test.each(attempts)(
  "%s: another user's id is refused as an unknown one, and nothing changes",
  async (_, id, unknown, attempt) => {
    const before = await owned()
    for (const person of [bob, admin]) {
      const foreign = await decisionOf(await attempt(person, id), id)
      expect(foreign).toEqual(await decisionOf(await attempt(person, unknown), unknown))
    }
    expect(await owned()).toBe(before)
  },
)

test('a list of ids or a user_id in a query or body shows and changes nothing of another user', async () => {
  const before = await owned()
  const shown = async (path: string) => JSON.stringify(await bob.get(path))
  for (const query of [`user_id=${ann.id}`, `id=${ann.id}`, `username=${ann.username}`, `user_id[]=${ann.id}`]) {
    for (const path of ['/api/token/', '/api/user/sessions', '/api/user/messages', '/api/user/second-factors'])
      expect([path, query, (await shown(`${path}?${query}`)).includes('of-ann')]).toEqual([path, query, false])
    expect((await bob.get(`/api/user/self?${query}`)).data.id).toBe(bob.id)
  }
  for (const id of [[token], { id: token }, `${token}`, `${token}.0`, token + 0.5, null, true])
    expect((await bob.put('/api/token/', { id, name: 'taken' })).success).toBe(false)
  await bob.put('/api/user/setting', { user_id: ann.id, notify_type: 'email' })
  await bob.form('/app/me/profile', { id: `${ann.id}`, user_id: `${ann.id}`, display_name: 'taken' })
  expect(await owned()).toBe(before)
  expect((await ann.get('/api/user/self')).data.display_name).toBe(ann.username)
})
