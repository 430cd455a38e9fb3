/** argon2id, few at a time: each hash takes 64 MB and a core for a quarter of a second. */
import { semaphore } from '../process/semaphore.ts'

const HASHES_AT_ONCE = 2
const inTurn = semaphore(HASHES_AT_ONCE)

export const hashPassword = (password: string) => inTurn(() => Bun.password.hash(password, 'argon2id'))

/** A hash of nothing anyone typed, so that an unknown name takes as long as a wrong password. */
let dummy: Promise<string> | undefined

/** Whether the password is right. An absent hash is as slow to refuse as a wrong password. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  dummy ??= hashPassword(crypto.randomUUID())
  const against = hash || (await dummy)
  const right = await inTurn(() => Bun.password.verify(password, against))
  return right && Boolean(hash)
}
