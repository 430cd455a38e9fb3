/** Password hashes, new ones by argon2id, two at a time: each takes 19 MB and a core for about 60 ms. */
import { Refusal } from '../contracts/refusal.ts'
import { FairQueue, type QueueTicket } from '../process/fair-queue.ts'

export type { QueueTicket }

/** Waiting pieces of work of one account or one address. */
const SHARE = 2
/** Waiting pieces of work of one lane. More would wait for longer than a silent connection lives: 30 s. */
const LANE_MAX = 100
const RETRY_SECONDS = 5

const queue = new FairQueue(
  { share: SHARE, lane: LANE_MAX },
  () => new Refusal('account.passwords_busy', { seconds: RETRY_SECONDS }, 503),
)

/** For callers that count attempts: what is refused here is none. @throws Refusal 503 */
export const checkPasswordQueue = (ticket: QueueTicket) => queue.check(ticket)

/**
 * Memory in KiB.
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const cost = { memoryCost: 19_456, timeCost: 2 }

const hash = (password: string) => Bun.password.hash(password, { algorithm: 'argon2id', ...cost })

/** @param ticket absent in commands, which have no other work. @throws Refusal 503 without a place in the queue */
export const hashPassword = (password: string, ticket?: QueueTicket) =>
  ticket ? queue.run(ticket, () => hash(password)) : hash(password)

/** Whether a hash is of another algorithm or cost than new ones, as imported and older hashes are. */
export function isOutdated(hash: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hash) ?? []
  return !(Number(memory) === cost.memoryCost && Number(time) === cost.timeCost)
}

/** Verified for unknown users, so that they take as long as a wrong password. */
let dummy: Promise<string> | undefined

/**
 * @param stored argon2 or bcrypt; undefined for an unknown user: the result is then false, after the same time
 * @throws Refusal 503 without a place in the queue
 */
export async function verifyPassword(password: string, stored: string | undefined, ticket: QueueTicket) {
  const isRight = await queue.run(ticket, async () => {
    dummy ??= hash(crypto.randomUUID())
    const spare = await dummy
    // A hash in no known format fits no password.
    return Bun.password.verify(password, stored || spare).catch(() => false)
  })
  return isRight && Boolean(stored)
}
