/**
 * States: they lead the browser that began a sign-in, and no other, from a provider back to us, once and within ten
 * minutes. A state is looked up by its hash; the secret of its row is the browser's cookie.
 */
import { z } from 'zod'
import { issueSecret, takeSecret } from '../../cluster/one-time.ts'
import type { LoginProviderName } from '../../contracts/oauth.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { randomToken } from '../../crypto/random-id.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic } from '../../db/atomic.ts'

const STATE_BYTES = 32
export const STATE_SECONDS = 600
/** Stands in a state that an API client asks for without naming a provider. */
const ANY = 'any'

const StateData = z.object({
  /** The signed-in user who binds; 0 for a visitor who signs in. */
  user_id: z.int(),
  /** Invitation code. */
  aff_code: z.string().default(''),
  /** Page to return to. */
  return_to: z.string().optional(),
  verifier: z.string().optional(),
  nonce: z.string().optional(),
})
type StateData = z.input<typeof StateData>

type StateProvider = Exclude<LoginProviderName, 'wechat'>

const keyOf = (provider: StateProvider | typeof ANY, state: string) =>
  ({ purpose: `oauth ${provider}`, subject: digest(state) }) as const

/** @param browser the secret in the browser's cookie. @param provider undefined for any one provider */
export async function issueState(browser: string, provider: StateProvider | undefined, data: StateData) {
  const state = randomToken(STATE_BYTES)
  const secret = { secret: browser, seconds: STATE_SECONDS, data: JSON.stringify(data) }
  await issueSecret({ ...keyOf(provider ?? ANY, state), ...secret })
  return state
}

/** Uses a state up. @throws Refusal 403 `oauth.state_invalid` for one of another browser, provider or user, used or expired */
export async function takeState(browser: string, provider: StateProvider, state: string, user_id: number) {
  const data = await atomic(function* (tx) {
    const own = yield* takeSecret(tx, keyOf(provider, state), browser)
    return own ?? (yield* takeSecret(tx, keyOf(ANY, state), browser))
  })
  const known = data === undefined ? undefined : StateData.parse(JSON.parse(data))
  if (known?.user_id !== user_id) throw new Refusal('oauth.state_invalid', {}, 403)
  return known
}
