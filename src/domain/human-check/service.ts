/** Verifies that a person and no script sends a form, with Cloudflare Turnstile. One solved challenge allows one action. */
import { z } from 'zod'
import { issueSecret } from '../../cluster/one-time.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { digest } from '../../crypto/sealing.ts'
import { env } from '../../env.ts'
import { readBody, upstreamFetch } from '../../net/upstream-fetch.ts'
import { setCoarseTimer } from '../../process/coarse-timer.ts'
import { log, reason } from '../../process/log.ts'
import { option } from '../options/index.ts'

/** Characters. */
const TOKEN_MAX = 2048
/** The provider forgets a token after this time. */
const TOKEN_SECONDS = 300
/** From the request to the last byte of the response. */
const VERIFY_TIMEOUT_MS = 5000
const RESPONSE_MAX_BYTES = 65_536
/** The form field of the refusals. */
const FIELD = 'turnstile'

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ (read 2026-11) */
const Verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) })

/**
 * @param token the widget's token, from the query `turnstile` or the form field `cf-turnstile-response`
 * @param address of the client
 * @throws Refusal `human.token_missing` or `human.failed`; nothing while the check is switched off
 */
export async function checkHuman(token: string | undefined, address: string): Promise<void> {
  if (!option('TurnstileCheckEnabled')) return
  if (!token) throw new Refusal('human.token_missing', {}, 200, FIELD)
  const isHuman = token.length <= TOKEN_MAX && (await isSolved(token, address)) && (await isFirstUse(token))
  if (!isHuman) throw new Refusal('human.failed', {}, 200, FIELD)
}

/** False as well when the provider cannot be asked. */
async function isSolved(token: string, address: string): Promise<boolean> {
  const abort = new AbortController()
  const cancelTimeout = setCoarseTimer(VERIFY_TIMEOUT_MS, () => abort.abort(new Error('timeout')))
  try {
    const { success, 'error-codes': codes } = await verify(token, address, abort)
    if (!success) log.info('human check refused', { codes: codes.join() })
    return success
  } catch (error) {
    log.warn('human check not possible', { reason: reason(error) })
    return false
  } finally {
    cancelTimeout()
  }
}

async function verify(token: string, address: string, abort: AbortController) {
  const form = new URLSearchParams({ secret: option('TurnstileSecretKey'), response: token, remoteip: address })
  const response = await upstreamFetch(
    {
      url: env.TURNSTILE_VERIFY_URL,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    },
    abort,
    VERIFY_TIMEOUT_MS,
  )
  const limits = { max_bytes: RESPONSE_MAX_BYTES, body_ms: VERIFY_TIMEOUT_MS }
  const bytes = await readBody(response, abort, limits)
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  return Verdict.parse(JSON.parse(new TextDecoder().decode(bytes)))
}

/** Remembers the token on every node: the provider is not alone in refusing a second use. */
async function isFirstUse(token: string): Promise<boolean> {
  const key = { purpose: 'human-check', subject: digest(token) } as const
  const wait = await issueSecret({ ...key, secret: '', seconds: TOKEN_SECONDS, spacing_seconds: TOKEN_SECONDS })
  return wait === 0
}
