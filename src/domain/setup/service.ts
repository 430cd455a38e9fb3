/** Set-up at the first start: creates the root account, once. */
import { eq } from 'drizzle-orm'
import { ROOT_QUOTA, Role, RootAccount, Setup } from '../../contracts/account.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import { isEqual } from '../../crypto/sealing.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { dialect } from '../../db/dialect.ts'
import { env } from '../../env.ts'
import { now } from '../../process/clock.ts'
import { onReset } from '../../process/stores.ts'
import { VERSION } from '../../pure/version.ts'
import { loadOptions, writeOption } from '../options/index.ts'
import { addUser } from '../users/index.ts'
import { users } from '../users/table.ts'
import { credit } from '../wallet/index.ts'
import { isMarked, leaveMark } from './mark.ts'
import { setups } from './table.ts'

const THE_ROW = 1

let done = false
onReset('setup', () => {
  done = false
})

/**
 * Whether the set-up is done, by the database or by the mark; older installations get their mark here. Only true is
 * remembered, and answered at once, for every call: another process may do the set-up.
 */
export const isSetUp = (): true | Promise<boolean> => done || readDone()

async function readDone(): Promise<boolean> {
  const isStored = (await db.select().from(setups)).length > 0
  if (isStored) leaveMark()
  done = isStored || isMarked()
  return done
}

/** For what needs a site that is set up. */
export const notSetUp = () => new Refusal('error.not_set_up', {}, 503)

export async function hasRoot(): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.role, Role.root)).limit(1)).length > 0
}

/** Whether the set-up asks for the `SETUP_TOKEN` of the installation. */
export const needsSetupToken = () => Boolean(env.SETUP_TOKEN)

/** @throws Refusal 403 at `setup_token` */
export function checkSetupToken(given: string) {
  if (env.SETUP_TOKEN && !isEqual(given, env.SETUP_TOKEN))
    throw new Refusal('account.setup_token_wrong', {}, 403, 'setup_token')
}

/** What the set-up page shows; blank once set-up is done. */
export async function setupStatus() {
  return (await isSetUp())
    ? { status: true as const, root_init: false, database_type: '' as const }
    : { status: false as const, root_init: await hasRoot(), database_type: dialect }
}

/** Creates the root account and sets the mode, both or neither.
 * @throws Refusal 403 for a wrong setup token, 400 for invalid fields, and `account.already_set_up` */
export async function setUp(fields: unknown) {
  if (await isSetUp()) throw new Refusal('account.already_set_up', {}, 400)
  const form = parse(Setup, fields)
  checkSetupToken(form.setup_token)
  const root = (await hasRoot()) ? undefined : await newRoot(form)
  await atomic(function* (tx) {
    yield* recordSetUp(tx)
    for (const mode of ['SelfUseModeEnabled', 'DemoSiteEnabled'] as const) {
      yield* writeOption(tx, mode, String(form[mode]))
    }
    if (!root) return
    const { id } = yield* addUser(tx, root)
    yield* credit(tx, { user_id: id, kind: 'setup', delta: ROOT_QUOTA })
  })
  leaveMark()
  await loadOptions()
}

/** Ends the set-up of a site whose root has moved in. @throws Refusal `account.already_set_up` */
export async function endSetUp() {
  await atomic(recordSetUp)
  leaveMark()
}

/** @throws Refusal `account.already_set_up` */
function* recordSetUp(tx: Tx) {
  const row = { id: THE_ROW, version: VERSION, initialized_at: now() }
  const first = yield* run(tx.insert(setups).values(row).onConflictDoNothing().returning())
  if (!first.length) throw new Refusal('account.already_set_up', {}, 400)
}

/** Before the set-up nothing else has to do with passwords. */
const setupTicket = { lane: 'unknown', shares: [], rank: 0 } as const

async function newRoot(fields: object) {
  const { username, password } = parse(RootAccount, fields)
  return { username, password: await hashPassword(password, setupTicket), role: Role.root, display_name: 'Root User' }
}
