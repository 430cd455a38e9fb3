// @engine sqlite
/** Every route of the console with every kind of caller: reliability of rights, from the table of `support/app/routes.ts`. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { now } from '../../src/process/clock.ts'
import { type Access, accessOf, consoleRoutes, isApi, type Route } from '../support/app/routes.ts'
import { anyone, Person, setUp, visitor } from '../support/people/person.ts'

await setUp()

type Outcome = 'passes' | 'signs in' | 'is refused'

/** Roles as they were given, and what has happened to their owners since. */
const callers = {
  visitor: async () => anyone,
  user: () => visitor(),
  admin: () => visitor(Role.admin),
  root: () => visitor(Role.root),
  banned: () => changed({ status: UserStatus.banned }),
  deleted: () => changed({ deleted_time: now() }),
  demoted: () => changed({ role: Role.user }),
  'API key': async () => withKey(await visitor(Role.root)),
  'access token': async () => withAccessToken(await visitor(Role.root)),
} satisfies Record<string, () => Promise<Person>>

type Caller = keyof typeof callers

async function changed(change: Partial<typeof users.$inferInsert>): Promise<Person> {
  const person = await visitor(Role.root)
  await db.update(users).set(change).where(eq(users.id, person.id))
  return person
}

/** A request without a cookie that has this `Authorization`. */
class Machine extends Person {
  constructor(
    id: number,
    readonly authorization: string,
  ) {
    super(id, '')
  }

  override fetch(path: string, init: Parameters<Person['fetch']>[1] = {}) {
    const mine = { authorization: this.authorization, 'tollgate-user': String(this.id) }
    return super.fetch(path, { ...init, headers: { ...mine, ...(init.headers as Record<string, string>) } })
  }
}

async function withKey(person: Person): Promise<Person> {
  const { data } = await person.post('/api/token/', { name: 'key', unlimited_quota: true })
  return new Machine(person.id, `Bearer sk-${data.key}`)
}

const withAccessToken = async (person: Person) =>
  new Machine(person.id, `Bearer ${(await person.get('/api/user/token')).data}`)

const ranks: Record<Access, number> = { anyone: 0, users: 1, admins: 2, root: 3 }

/** What the table says of a caller at a route. */
function expected(caller: Caller, route: Route): Outcome {
  const needed = ranks[accessOf.get(route.name)!]
  if (needed === 0) return 'passes'
  if (caller === 'visitor' || caller === 'deleted' || caller === 'API key') return 'signs in'
  if (caller === 'access token') return isApi(route) ? 'passes' : 'signs in'
  if (caller === 'banned') return isApi(route) ? 'is refused' : 'signs in'
  const rank = { user: 1, demoted: 1, admin: 2, root: 3 }[caller]
  return rank >= needed ? 'passes' : 'is refused'
}

/** Codes of 403 that concern the caller's rights; a route may refuse for other reasons. */
const refusals = new Set(['error.forbidden', 'account.banned'])

async function outcomeOf(person: Person, route: Route): Promise<Outcome> {
  const response = await send(person, route)
  // A public page may lead to the sign-in page, as when its provider is switched off.
  if (accessOf.get(route.name) === 'anyone') return response.status === 401 ? 'signs in' : 'passes'
  const location = response.headers.get('location')?.replace(/\?.*/, '')
  if (response.status === 401 || (response.status === 303 && location === '/login')) return 'signs in'
  if (response.status === 303 && location === '/') return 'is refused'
  if (response.status !== 403) return 'passes'
  const { code } = (await response.json().catch(() => ({}))) as { code?: string }
  return code !== undefined && refusals.has(code) ? 'is refused' : 'passes'
}

const UNKNOWN_ID = '999999'

function send(person: Person, { method, path }: Route): Promise<Response> {
  const address = path.replace(/:\w+/g, UNKNOWN_ID)
  if (method === 'POST' && !path.startsWith('/api/')) return person.form(address, {})
  const query = path === '/api/log/' && method === 'DELETE' ? '?target_timestamp=1' : ''
  const headers = { 'content-type': 'application/json' }
  return person.fetch(address + query, { method, headers, ...(method !== 'GET' && { body: '{}' }) })
}

test('every route of the console has a row in the table, and every row a route', () => {
  const names = consoleRoutes.map(({ name }) => name)
  expect(names.filter(name => !accessOf.has(name))).toEqual([])
  expect([...accessOf.keys()].filter(name => !names.includes(name))).toEqual([])
})

/** They end when the account does, or lead there: the landing page of a deletion is the sign-in page. */
const leadsToSignIn = new Set(['POST /app/me/delete'])

/** They change nothing for a caller, who can call again. */
const isHarmless = ({ method, path }: Route) =>
  method === 'GET' && !['/api/user/logout', '/api/user/token'].includes(path)

for (const caller of Object.keys(callers) as Caller[]) {
  test(`routes: a caller of the kind ${caller} passes where the table says so and nowhere else`, async () => {
    const outcomes: Record<string, Outcome> = {}
    const wanted: Record<string, Outcome> = {}
    const person = await callers[caller]()
    for (const route of consoleRoutes.filter(({ name }) => !leadsToSignIn.has(name))) {
      wanted[route.name] = expected(caller, route)
      // A caller who passes where a session or an account may end is used up.
      const isUsedUp = wanted[route.name] === 'passes' && !isHarmless(route)
      outcomes[route.name] = await outcomeOf(isUsedUp ? await callers[caller]() : person, route)
    }
    expect(outcomes).toEqual(wanted)
  })
}
