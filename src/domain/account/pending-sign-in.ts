/** Sign-ins that wait for the second factor: ten minutes and five attempts, in the browser that began them. */
import { checkSecret, issueSecret, readSecret, takeSecret } from '../../cluster/one-time.ts'
import { unauthorized } from '../../contracts/refusal.ts'
import { PENDING_SECONDS } from '../../contracts/security.ts'
import { randomToken } from '../../crypto/random-id.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic } from '../../db/atomic.ts'
import { anyUser, isEnabled } from '../users/index.ts'
import type { User } from '../users/table.ts'
import { type AttemptOrigin, countAttempt } from './attempts.ts'

/** `ticket` names the sign-in; `secret` is in a cookie of the browser that began it. */
export interface PendingSignIn {
  ticket: string
  secret: string
}

const BYTES = 32
const keyOf = ({ ticket }: PendingSignIn) => ({ purpose: 'sign-in', subject: ticket }) as const

/** Keeps the sign-in of a user who has proved the first factor. */
export async function beginPending({ id, password }: User): Promise<PendingSignIn> {
  const pending = { ticket: randomToken(BYTES), secret: randomToken(BYTES) }
  const data = `${id} ${digest(password)}`
  await issueSecret({ ...keyOf(pending), secret: pending.secret, seconds: PENDING_SECONDS, data })
  return pending
}

/** The user of a pending sign-in. @throws Refusal 401 when it has ended, or the user may not sign in any more */
export async function pendingUser(pending: PendingSignIn): Promise<User> {
  const data = await readSecret(keyOf(pending), pending.secret)
  const [id, password] = data?.split(' ') ?? []
  const user = id && (await anyUser(Number(id)))
  if (!user || user.deleted_time !== null || !isEnabled(user) || digest(user.password) !== password) throw ended()
  return user
}

/** Counts an attempt with the second factor, before it is checked. @throws Refusal 429 while the origin is locked, 401 after five */
export async function countPending(pending: PendingSignIn, user: User, origin: AttemptOrigin) {
  await countAttempt(user, origin, 'second')
  if (!(await checkSecret(keyOf(pending), pending.secret))) throw ended()
}

/** Uses the pending sign-in up. @throws Refusal 401 when it is used already */
export async function takePending(pending: PendingSignIn) {
  const data = await atomic(tx => takeSecret(tx, keyOf(pending), pending.secret))
  if (data === undefined) throw ended()
}

const ended = () => unauthorized('security.sign_in_ended')
