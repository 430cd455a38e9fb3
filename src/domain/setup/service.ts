/** The first start: one root account, once. */
import { eq } from 'drizzle-orm'
import { ROOT_QUOTA, Role, RootAccount, Setup } from '../../contracts/account.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { dialect } from '../../db/dialect.ts'
import { now } from '../../process/clock.ts'
import { VERSION } from '../../pure/version.ts'
import { keepOption, loadOptions } from '../options/index.ts'
import { addUser } from '../users/index.ts'
import { users } from '../users/table.ts'
import { credit } from '../wallet/index.ts'
import { setups } from './table.ts'

const THE_ROW = 1

let done = false

/** Once, it is for good: only a yes is remembered, since another process may do it. */
export async function isSetUp(): Promise<boolean> {
  done ||= (await db.select().from(setups)).length > 0
  return done
}

async function hasRoot(): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.role, Role.root)).limit(1)).length > 0
}

/** What the set-up page needs; nothing of it is told once set-up is done. */
export async function setupStatus() {
  const status = await isSetUp()
  return status
    ? { status, root_init: false, database_type: '' }
    : { status, root_init: await hasRoot(), database_type: dialect }
}

/** Creates the root account and the usage mode, or nothing.
 * @throws Refusal for what was typed, and when someone else was first. */
export async function setUp(typed: unknown) {
  if (await isSetUp()) throw new Refusal('account.already_set_up', {}, 400)
  const form = parse(Setup, typed)
  const root = (await hasRoot()) ? undefined : await newRoot(form)
  await atomic(function* (tx) {
    const first = yield* run(
      tx
        .insert(setups)
        .values({ id: THE_ROW, version: VERSION, initialized_at: now() })
        .onConflictDoNothing()
        .returning(),
    )
    if (!first.length) throw new Refusal('account.already_set_up', {}, 400)
    for (const mode of ['SelfUseModeEnabled', 'DemoSiteEnabled'] as const) {
      yield* keepOption(tx, mode, String(form[mode]))
    }
    if (!root) return
    const { id } = yield* addUser(tx, root)
    yield* credit(tx, { user_id: id, kind: 'setup', delta: ROOT_QUOTA })
  })
  await loadOptions()
}

async function newRoot(typed: object) {
  const { username, password } = parse(RootAccount, typed)
  return { username, password: await hashPassword(password), role: Role.root, display_name: 'Root User' }
}
