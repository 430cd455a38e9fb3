/** What an upstream's failure concerns: a model, the account of a key, or the whole channel. */
import type { AttemptFailure } from '../../domain/routing/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import type { UpstreamRejection } from './fault.ts'

type Scope = Pick<AttemptFailure, 'of_key' | 'of_model'>

const ofChannel: Scope = { of_key: false, of_model: false }
/** The key's account, with all its models. */
const ofAccount: Scope = { of_key: true, of_model: false }

/** @param model the upstream's name for it */
export function scopeOf({ status, error }: UpstreamRejection, model: string): Scope {
  if (status === 429) return limitsAccount(error, model) ? ofAccount : { of_key: true, of_model: true }
  if (blamesAccount(status)) return ofAccount
  return status === 529 || (status === 503 && error && isOverload(error))
    ? { of_key: false, of_model: true }
    : ofChannel
}

export const blamesAccount = (status: number) => status === 401 || status === 402 || status === 403

/** A server without room for a model has room for others; a server that is down has none for any. */
const isOverload = ({ message, type }: ApiError) =>
  type === 'overloaded_error' ||
  /overload|capacity|high (?:demand|traffic|load)|\bbusy\b|not ready|繁忙|过载/i.test(message)

const spentTypes = new Set(['insufficient_quota', 'insufficient_user_quota'])
const spentCodes = new Set(['billing_hard_limit_reached', 'billing_not_active', 'Arrearage'])

/**
 * Whether the account has no money left, which time alone does not mend. Alibaba's code `insufficient_quota` is a limit
 * of tokens in a minute, so the type decides; the providers write it for the words of each maker.
 * https://platform.openai.com/docs/guides/error-codes (read 2026-11)
 */
export const isSpent = (error: ApiError | undefined): boolean =>
  error !== undefined && (spentTypes.has(error.type) || spentCodes.has(error.code))

const accountCodes = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'quota_exceeded', 'Arrearage'])

/**
 * Limits of an account: Moonshot's ("request reached organization max RPM"), Zhipu's plans, spending caps.
 * https://platform.moonshot.ai/docs/pricing/limits https://docs.bigmodel.cn/cn/api/api-code (read 2026-11)
 */
const accountWords =
  /\b(?:organization|account|user) max\b|\b(?:spend(?:ing)?|credit|balance|weekly|monthly|usage)[ -](?:limit|cap|quota)|spending cap|余额|欠费|账户|使用上限/i

/** Makers limit by model unless they name the account; a limit that names the model is the model's, whatever it advises. */
function limitsAccount(error: ApiError | undefined, model: string): boolean {
  if (!error) return false
  if (accountCodes.has(error.code) || accountCodes.has(error.type)) return true
  return accountWords.test(error.message) && !error.message.includes(model)
}
