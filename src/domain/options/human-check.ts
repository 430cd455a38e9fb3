/** Options of the human check (Cloudflare Turnstile). With keys that do not work every sign-in fails, root's too. */
import { flag, line, secret, section } from './declare.ts'

export const humanCheck = section({
  tab: 'system',
  root: true,
  options: {
    TurnstileCheckEnabled: flag(false, { publicAs: 'turnstile_check' }),
    TurnstileSiteKey: line('', { publicAs: 'turnstile_site_key' }),
    TurnstileSecretKey: secret(),
  },
  check: value =>
    value.TurnstileCheckEnabled && !(value.TurnstileSiteKey && value.TurnstileSecretKey)
      ? 'option.turnstile_incomplete'
      : undefined,
})
