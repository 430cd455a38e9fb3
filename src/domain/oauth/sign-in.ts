/** Sign-in by an identity: its user, or a new one where the provider may create users. */
import { eq, max } from 'drizzle-orm'
import { foldName, USERNAME_MAX } from '../../contracts/account.ts'
import { forbidden, Refusal } from '../../contracts/refusal.ts'
import { NewUsername } from '../../contracts/registration.ts'
import { randomKey } from '../../crypto/random-id.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { checkRegistrationOpen, signUp } from '../account/index.ts'
import { isEnabled, isNamed, type User, users } from '../users/index.ts'
import { bind } from './bindings.ts'
import { userByGitHubName } from './github-names.ts'
import type { LoginIdentity } from './provider.ts'

const ATTEMPTS_MAX = 5
const RANDOM_LENGTH = 4

interface Arrival {
  user: User
  is_new: boolean
}

/** The enabled user of an identity. @throws Refusal when it is unbound, deleted or banned */
export async function boundUser(identity: LoginIdentity): Promise<User> {
  const user = await holderOf(identity)
  if (!user) throw new Refusal('oauth.unbound')
  return admitted(user)
}

/**
 * As `boundUser`; an unknown identity becomes a new user. Of two first sign-ins at once, one creates the user and the
 * other finds it.
 * @throws Refusal also while the site takes no new users
 */
export async function boundOrNewUser(identity: LoginIdentity, aff_code: string): Promise<Arrival> {
  for (let attempt = 1; ; attempt++) {
    const user = await holderOf(identity)
    if (user) return { user: admitted(user), is_new: false }
    checkRegistrationOpen()
    try {
      return { user: await atomic(tx => create(tx, identity, aff_code)), is_new: true }
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isTaken(error)) throw error
    }
  }
}

/** Deleted users count: their identities stay reserved. */
async function holderOf(identity: LoginIdentity): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users[identity.column], identity.id))
  if (user) return user
  const moved = await userByGitHubName(identity)
  if (moved && moved.deleted_time === null) await bind(moved.id, identity)
  return moved
}

function admitted(user: User): User {
  if (user.deleted_time !== null) throw new Refusal('oauth.account_deleted')
  if (!isEnabled(user)) throw forbidden('account.banned')
  return user
}

function* create(tx: Tx, identity: LoginIdentity, aff_code: string) {
  const { column, id, display_name } = identity
  const username = yield* freeUsername(tx, identity)
  const email = yield* freeAddress(tx, identity)
  return yield* signUp(tx, { username, password: '', display_name, email, aff_code, [column]: id })
}

/** The wanted name, else the provider's with a number, else with random characters: 12 characters at most. */
function* freeUsername(tx: Tx, { provider, username }: LoginIdentity) {
  const [last] = yield* run(tx.select({ id: max(users.id) }).from(users))
  const wanted = NewUsername.safeParse(username).data
  const names = [
    ...(wanted ? [wanted] : []),
    generatedName(provider, String((last?.id ?? 0) + 1)),
    generatedName(provider, randomKey(RANDOM_LENGTH)),
  ]
  const taken = yield* run(
    tx
      .select({ username: users.username })
      .from(users)
      .where(isNamed(...names)),
  )
  const folded = taken.map(({ username }) => foldName(username))
  return names.find(name => !folded.includes(foldName(name))) ?? names.at(-1)!
}

/** `github_12345`; a longer ending shortens the provider's name. */
const generatedName = (provider: string, ending: string) =>
  `${provider.slice(0, USERNAME_MAX - 1 - ending.length)}_${ending}`

/** The verified address, unless a user has it: an address alone never leads to that user. */
function* freeAddress(tx: Tx, { email }: LoginIdentity) {
  if (!email) return undefined
  const [taken] = yield* run(tx.select({ id: users.id }).from(users).where(eq(users.email, email)))
  return taken ? undefined : email
}

const takenCodes: string[] = ['account.username_taken', 'account.email_taken', 'account.already_bound']

/** Whether another sign-up was faster with the name, the address or the identity. */
const isTaken = (error: unknown) => error instanceof Refusal && takenCodes.includes(error.code)
