/** Password hashes, new ones by argon2id, two at a time: each takes 64 MB and a core for about 250 ms. */
import { Refusal } from '../contracts/refusal.ts'
import { semaphore } from '../process/semaphore.ts'

const CONCURRENCY = 2
/** More would have to wait for longer than people do. */
const WAITING_MAX = 20
const RETRY_SECONDS = 5
const limited = semaphore(CONCURRENCY)

/** Whether the next hash or check is refused. */
export const isPasswordQueueFull = () => limited.waiting() >= WAITING_MAX

/** For callers that count attempts: what is refused here is none. @throws Refusal 503 */
export function checkPasswordQueue() {
  if (isPasswordQueueFull()) throw new Refusal('account.passwords_busy', { seconds: RETRY_SECONDS }, 503)
}

async function queued<T>(work: () => Promise<T>): Promise<T> {
  checkPasswordQueue()
  return limited(work)
}

/** Memory in KiB. */
const cost = { memoryCost: 65_536, timeCost: 2 }

const hash = (password: string) => Bun.password.hash(password, { algorithm: 'argon2id', ...cost })

/** @throws Refusal 503 while too many wait */
export const hashPassword = (password: string) => queued(() => hash(password))

/** Whether a hash is of another algorithm or cheaper than new ones, as imported and older hashes are. */
export function isOutdated(hash: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hash) ?? []
  return !(Number(memory) >= cost.memoryCost && Number(time) >= cost.timeCost)
}

/** Verified for unknown users, so that they take as long as a wrong password. */
let dummy: Promise<string> | undefined

/**
 * @param stored argon2 or bcrypt; undefined for an unknown user: the result is then false, after the same time
 * @throws Refusal 503 while too many wait
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  dummy ??= limited(() => hash(crypto.randomUUID()))
  const against = stored || (await dummy)
  // A hash in no known format fits no password.
  const isRight = await queued(() => Bun.password.verify(password, against).catch(() => false))
  return isRight && Boolean(stored)
}
