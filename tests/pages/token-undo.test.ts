// @engine sqlite
/** API keys that are deleted or disabled, and the undo of it in the toast, as a form that needs no script. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { TOKENS_PER_USER_MAX } from '../../src/contracts/token.ts'
import { db } from '../../src/db/database.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { anyone, type Person, visitor } from '../support/people/person.ts'

const make = async (person: Person, fields = {}) =>
  (await person.post('/api/token/', { name: 'laptop', ...fields })).data
const listOf = async (person: Person) => (await person.get('/api/token/?size=100')).data
const textOf = async (response: Promise<Response>) => (await (await response).text()).replaceAll('<!-- -->', '')

/** The toast after a form, and what its undo sends. */
async function undoAfter(person: Person, response: Response) {
  const [notice = ''] = response.headers.getSetCookie().flatMap(cookie => /notice=[^;]+/.exec(cookie) ?? [])
  const page = await textOf(
    person.page(response.headers.get('location')!, { headers: { cookie: `${person.cookie}; ${notice}` } }),
  )
  const toast = /<tollgate-toast.*?<\/tollgate-toast>/s.exec(page)![0]
  const fields = [...toast.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!])
  return { toast, path: /action="([^"]+)"/.exec(toast)?.[1], fields: Object.fromEntries(fields) }
}

test('a deletion and a switch-off are undone from their toast, for a quarter of an hour', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const [one, two] = await make(ann, { count: 2 })
  const off = await undoAfter(
    ann,
    await ann.form(`/app/tokens/${one.id}/disable`, { returnTo: '/app/tokens?keyword=l' }),
  )
  expect(off.fields.returnTo).toBe('/app/tokens?keyword=l')
  await ann.form(off.path!, off.fields)
  expect((await listOf(ann)).map((token: { status: number }) => token.status)).toEqual([1, 1])

  const gone = await undoAfter(ann, await ann.form(`/app/tokens/${one.id}/delete`))
  expect([gone.toast.includes('Deleted laptop'), gone.toast.includes('Undo'), (await listOf(ann)).length]).toEqual([
    ...[true, true, 1],
  ])
  expect((await bob.form(gone.path!)).status).toBe(404)
  const back = await undoAfter(ann, await ann.form(gone.path!, gone.fields))
  expect([back.toast.includes('Restored laptop'), back.path, (await listOf(ann)).length]).toEqual([true, undefined, 2])
  expect((await ann.form(gone.path!, gone.fields)).status).toBe(404)

  const both = await ann.form('/app/tokens/selected', {
    action: 'delete',
    'ids[]': [one, two].map(({ id }) => String(id)),
  })
  const many = await undoAfter(ann, both)
  expect([many.toast.includes('Deleted 2 API keys'), (await listOf(ann)).length]).toEqual([true, 0])
  shiftClock(900)
  expect((await ann.form(many.path!, many.fields)).status).toBe(404)
  shiftClock(-900)
})

test('calls with a key follow its deletion, its switch-off and each undo at once', async () => {
  const ann = await visitor()
  const one = await make(ann)
  const headers = { authorization: `Bearer sk-${one.key}` }
  const status = async () => (await anyone.get('/v1/models', { headers })).status
  expect(await status()).toBe(200)
  for (const action of ['disable', 'delete']) {
    const undo = await undoAfter(ann, await ann.form(`/app/tokens/${one.id}/${action}`))
    expect(await status()).toBe(401)
    await ann.form(undo.path!, undo.fields)
    expect(await status()).toBe(200)
  }
})

test('an undo does not lift the limit of tokens, and a forged toast leads to this site only', async () => {
  const ann = await visitor()
  const [one] = await make(ann, { count: 2 })
  const gone = await undoAfter(ann, await ann.form(`/app/tokens/${one.id}/delete`))
  const row = (await db.select().from(tokens).where(eq(tokens.user_id, ann.id)))[0]!
  const more = Array.from({ length: TOKENS_PER_USER_MAX - 1 }, (_, index) => ({
    ...{ user_id: ann.id, name: 'more', key_sealed: row.key_sealed, key_tail: 'more', created_time: now() },
    key_hash: `${ann.id} ${index}`,
  }))
  for (let at = 0; at < more.length; at += 1000) await db.insert(tokens).values(more.slice(at, at + 1000))
  expect((await ann.form(gone.path!, gone.fields)).status).toBe(400)

  const forged = { kind: 'success', text: 'Win', undo: { action: '//evil.example', returnTo: '/' } }
  const page = await textOf(
    ann.page('/app/me', { headers: { cookie: `${ann.cookie}; notice=${encodeURIComponent(JSON.stringify(forged))}` } }),
  )
  expect([page.includes('Win'), page.includes('evil.example')]).toEqual([true, false])
})
