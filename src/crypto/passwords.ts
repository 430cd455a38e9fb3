/** Password hashes (argon2id), two at a time: each takes 64 MB and a core for about 250 ms. */
import { semaphore } from '../process/semaphore.ts'

const CONCURRENCY = 2
const limited = semaphore(CONCURRENCY)

export const hashPassword = (password: string) => limited(() => Bun.password.hash(password, 'argon2id'))

/** Verified for unknown users, so that they take as long as a wrong password. */
let dummy: Promise<string> | undefined

/** @param hash undefined for an unknown user; the result is then false, after the same time */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  dummy ??= hashPassword(crypto.randomUUID())
  const against = hash || (await dummy)
  const isRight = await limited(() => Bun.password.verify(password, against))
  return isRight && Boolean(hash)
}
