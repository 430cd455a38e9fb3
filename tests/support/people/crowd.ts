/** Strangers who try the password of one account, each from an address of its own. */
import { spyOn } from 'bun:test'
import { anyone } from './person.ts'

/** The answer to a wrong password is known; a hash of the product's own cost takes 60 ms. */
export const withQuickHashes = () => spyOn(Bun.password, 'verify').mockResolvedValue(false)

/** An address of its own subscriber. */
export const stranger = (index: number) => `198.18.${index >> 8}.${index & 255}`

/** Of more guesses at once, some would be refused since the account has its share of the queue. */
const GUESSES_AT_ONCE = 4

/** Guesses from this many addresses, one each. @returns those that were checked */
export async function crowd(username: string, count: number): Promise<number> {
  using _ = withQuickHashes()
  let checked = 0
  for (let from = 0; from < count; from += GUESSES_AT_ONCE) {
    const indexes = Array.from({ length: Math.min(GUESSES_AT_ONCE, count - from) }, (_, index) => from + index)
    const answers = await Promise.all(
      indexes.map(index =>
        anyone.post(
          '/api/user/login',
          { username, password: 'wrong' },
          { headers: { 'x-forwarded-for': stranger(index) } },
        ),
      ),
    )
    checked += answers.filter(({ code }) => code === 'account.login_wrong').length
  }
  return checked
}
