/** Usernames: unique in any case. Twins, which earlier versions allowed, stay and are shown to root. */
import { and, asc, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { foldName } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { atomic, inTurn, rawQuery, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { users } from './table.ts'

export const usernameTaken = () => new Refusal('account.username_taken', {}, 200, 'username')

/** Users who have a name in some case. Until its row is folded, an exact name counts. */
export const isNamed = (...names: string[]): SQL =>
  or(inArray(users.username_folded, names.map(foldName)), inArray(users.username, names))!

/** Before the work of a password; `addUser` and `renamed` have the last word. @throws Refusal `account.username_taken` */
export async function checkUsernameFree(name: string) {
  const [user] = await db.select({ id: users.id }).from(users).where(isNamed(name)).limit(1)
  if (user) throw usernameTaken()
}

/** The columns of a new name; none for an unchanged one, which a twin keeps. @throws Refusal `account.username_taken` */
export function* renamed(tx: Tx, { id, username: before }: { id: number; username: string }, username: string) {
  if (username === before) return {}
  const isOther = and(isNamed(username), ne(users.id, id))
  const [other] = yield* run(tx.select({ id: users.id }).from(users).where(isOther).limit(1))
  if (other) throw usernameTaken()
  return { username, username_folded: foldName(username), username_twin: 0 }
}

/** Rows of one statement. */
const BATCH = 1000

/** Folds the names of users whom an earlier version has added: of twins the oldest has the name, the others are marked. */
export async function foldUsernames() {
  while ((await atomic(foldBatch)) === BATCH);
}

function* foldBatch(tx: Tx) {
  yield* inTurn(tx, 'usernames')
  const { id, username, username_folded } = users
  const rows = yield* run(
    tx.select({ id, username }).from(users).where(isNull(username_folded)).orderBy(asc(id)).limit(BATCH),
  )
  if (!rows.length) return 0
  const folded = rows.map(row => foldName(row.username))
  const holders = yield* run(
    tx.selectDistinct({ name: username_folded }).from(users).where(inArray(username_folded, folded)),
  )
  const taken = new Set(holders.map(({ name }) => name))
  const values = rows.map(({ id }, at) => {
    const name = folded[at]!
    const twin = taken.has(name) ? id : 0
    taken.add(name)
    return sql`(cast(${id} as bigint), cast(${name} as text), cast(${twin} as bigint))`
  })
  yield* run(
    rawQuery(
      tx,
      sql`update users set username_folded = named.column2, username_twin = named.column3
        from (values ${sql.join(values, sql`, `)}) as named where users.id = named.column1`,
    ),
  )
  return rows.length
}

export interface Twin {
  id: number
  username: string
}

/** Users whose names differ in case only, twins side by side; without those who have deregistered. At most `max` groups. */
export async function usernameTwins(max: number): Promise<Twin[][]> {
  const { id, username, username_folded, username_twin, deleted_time } = users
  const marked = db.select({ name: username_folded }).from(users).where(ne(username_twin, 0))
  const rows = await db
    .select({ id, username, name: username_folded })
    .from(users)
    .where(and(inArray(username_folded, marked), isNull(deleted_time)))
    .orderBy(asc(username_folded), asc(id))
  const groups = Map.groupBy(rows, ({ name }) => name)
  return [...groups.values()]
    .filter(twins => twins.length > 1)
    .slice(0, max)
    .map(twins => twins.map(({ id, username }) => ({ id, username })))
}
