/** Sessions. A session is a row; its cookie only holds the id. */
import { and, asc, desc, eq, gt, isNull, ne, not, type SQL, sql } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS, type SessionClaims } from '../../contracts/account.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { CONFIRM_SECONDS, DEVICE_ID_LENGTH, type Device } from '../../contracts/security.ts'
import { randomToken } from '../../crypto/random-id.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { subscriberAt } from '../../pure/ip.ts'
import type { User } from '../users/table.ts'
import { users } from '../users/table.ts'
import { sessions } from './table.ts'

interface Visitor {
  address: string
  /** `User-Agent` of the browser. */
  device: string
}

const SESSION_ID_BYTES = 32
const LAST_SEEN_STEP_SECONDS = 300
const DEVICE_MAX = 200

/**
 * Opens a session for a user whose password was just verified.
 * @returns the session id for the cookie; only its hash is stored
 * @throws Refusal when the password was changed meanwhile, which ends all sessions
 */
export async function openSession({ id: user_id, password }: Pick<User, 'id' | 'password'>, visitor: Visitor) {
  const id = randomToken(SESSION_ID_BYTES)
  const at = now()
  await db.delete(sessions).where(not(isLive(at)))
  await atomic(function* (tx) {
    // The lock orders this after or before a change of the password.
    const [user] = yield* lock(tx, users, eq(users.id, user_id))
    if (user?.password !== password) throw new Refusal('account.login_wrong')
    yield* run(tx.update(users).set({ last_seen: at }).where(eq(users.id, user_id)))
    yield* run(
      tx.insert(sessions).values({
        id: digest(id),
        user_id,
        device: visitor.device.slice(0, DEVICE_MAX),
        address: visitor.address,
        created_time: at,
        last_seen: at,
        confirmed_time: at,
        expires_time: at + SESSION_SECONDS,
      }),
    )
  })
  return id
}

const isLive = (at: number) => and(gt(sessions.expires_time, at), gt(sessions.last_seen, at - SESSION_IDLE_SECONDS))!

/** The session of a request. */
export interface Session {
  /** As in the cookie. */
  id: string
  confirmed_time: number
  /** Unix seconds. */
  expires_time: number
}

/**
 * A live session and its user. Read from the database each time: another process may have ended it or changed the user.
 * @returns undefined when the session has ended or the user is deleted
 */
export async function findSession({ session_id, user_id }: SessionClaims) {
  const isNamed = and(eq(sessions.id, digest(session_id)), eq(sessions.user_id, user_id))
  const [found] = await db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(isNamed, isLive(now()), isNull(users.deleted_time)))
  if (!found) return undefined
  const { session, user } = found
  if (now() - session.last_seen >= LAST_SEEN_STEP_SECONDS) await updateLastSeen(session)
  const { confirmed_time, expires_time } = session
  return { user, session: { id: session_id, confirmed_time, expires_time } satisfies Session }
}

/** Whether the user is signed in at this subscriber's addresses. @param subscriber as of `subscriberAt` */
export async function hasSessionFrom(user_id: number, subscriber: string): Promise<boolean> {
  const rows = await db
    .select({ address: sessions.address })
    .from(sessions)
    .where(and(eq(sessions.user_id, user_id), isLive(now())))
  return rows.some(({ address }) => subscriberAt(address) === subscriber)
}

/** In the order in which sessions are ended: the user's row first. A failed write is logged only: signed-in users can still read. */
const updateLastSeen = ({ id, user_id }: typeof sessions.$inferSelect) =>
  atomic(function* (tx) {
    yield* run(tx.update(users).set({ last_seen: now() }).where(eq(users.id, user_id)))
    yield* run(tx.update(sessions).set({ last_seen: now() }).where(eq(sessions.id, id)))
  }).catch(error => log.warn('last use of a session not written', { reason: reason(error) }))

/** Whether the user has proved who they are within the last minutes; false without a session. */
export const isConfirmed = (session: Session | undefined) =>
  session !== undefined && now() - session.confirmed_time < CONFIRM_SECONDS

/** Records that the user has just proved who they are. */
export async function markConfirmed({ id }: Session) {
  await db
    .update(sessions)
    .set({ confirmed_time: now() })
    .where(eq(sessions.id, digest(id)))
}

export async function closeSession(id: string) {
  const isNamed = eq(sessions.id, digest(id))
  await atomic(function* (tx) {
    const ended = yield* run(tx.delete(sessions).where(isNamed).returning({ user_id: sessions.user_id }))
    yield* announce(
      tx,
      'session',
      ended.map(({ user_id }) => user_id),
    )
  })
}

/** Live sessions of a user: the one that asks first, then the last used. */
export async function sessionsOf(user_id: number, current?: Session): Promise<Device[]> {
  const own = current && digest(current.id)
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, user_id), isLive(now())))
    .orderBy(desc(sessions.last_seen), desc(sessions.created_time), asc(sessions.id))
  const devices = rows.map(({ id, device, address, created_time, last_seen }) => ({
    id: id.slice(0, DEVICE_ID_LENGTH),
    device,
    address,
    created_time,
    last_seen,
    current: id === own,
  }))
  return devices.sort((a, b) => Number(b.current) - Number(a.current))
}

/** Ends one session of a user. @param id public id, as in `sessionsOf` @throws Refusal 404 */
export async function endSession(user_id: number, id: string) {
  const isNamed = sql`substr(${sessions.id}, 1, ${DEVICE_ID_LENGTH}) = ${id}`
  const ended = await end(user_id, isNamed)
  if (!ended) throw notFound('security.session_missing')
}

/** Ends all sessions of a user but the one that asks. @returns their number */
export async function endOtherSessions(user_id: number, current: Session | undefined): Promise<number> {
  const isOther = current && ne(sessions.id, digest(current.id))
  return end(user_id, isOther)
}

/** @returns how many have ended */
const end = (user_id: number, which: SQL | undefined) =>
  atomic(function* (tx) {
    const where = and(eq(sessions.user_id, user_id), which)
    const ended = yield* run(tx.delete(sessions).where(where).returning({ id: sessions.id }))
    yield* announce(tx, 'session', [user_id])
    return ended.length
  })

/** Ends all sessions of a user: after a ban, a new role, a deletion. A banned user is refused with every credential. */
export function* endSessions(tx: Tx, user_id: number) {
  yield* run(tx.delete(sessions).where(eq(sessions.user_id, user_id)))
}

/** Ends all that an old password has opened: sessions and the system access token. */
export function* endAccess(tx: Tx, user_id: number) {
  yield* endSessions(tx, user_id)
  yield* run(tx.update(users).set({ access_token_hash: null }).where(eq(users.id, user_id)))
}
