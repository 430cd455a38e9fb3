/** Why the bills of one call differ. */
import { SHADOW_RATIOS, type ShadowPrice, type ShadowReason } from '../../contracts/shadow.ts'
import type { OurCall } from './our-calls.ts'
import type { TheirCall, TheirRatios } from './their-log.ts'

/** @returns none for a call of the same tokens and the same quota */
export function reasonsOf(theirs: TheirCall, ours: OurCall): string[] {
  const difference = theirs.quota - ours.quota
  const ended = endReason(theirs, ours)
  if (ended) return ended
  const usage = usageReason(theirs, ours)
  const price = difference ? priceReasons(theirs, ours) : []
  const reasons = [...(usage ? [usage] : []), ...price]
  if (reasons.length || !difference) return reasons
  if (Math.abs(difference) === 1) return ['rounding']
  if (ours.price?.has_more) return ['other_charges']
  return [hasRatios(theirs) ? 'unexplained' : 'price_not_logged']
}

/** A call that has no bill here. */
function endReason({ quota }: TheirCall, { refusal, outcome }: OurCall): string[] | undefined {
  if (refusal) return [`refused_here:${refusal}`]
  if (outcome === 'failed') return quota ? ['failed_here'] : []
  return outcome === 'unread' ? ['not_priced_here'] : undefined
}

function usageReason(theirs: TheirCall, ours: OurCall): ShadowReason | undefined {
  const { cache_tokens = 0, cache_creation_tokens = 0, reasoning_tokens = 0 } = ours.price ?? {}
  const output = theirs.completion_tokens - ours.completion_tokens
  const isSame = theirs.prompt_tokens === ours.prompt_tokens && output === 0
  const isCachedSame =
    (theirs.cache_tokens ?? cache_tokens) === cache_tokens &&
    (theirs.cache_creation_tokens ?? cache_creation_tokens) === cache_creation_tokens
  if (isSame && isCachedSame) return undefined
  if (ours.outcome === 'abandoned') return 'usage_abandoned'
  if (ours.is_estimated) return 'usage_estimated'
  if (!isCachedSame) return 'usage_cached'
  return reasoning_tokens > 0 && Math.abs(output) === reasoning_tokens ? 'usage_reasoning' : 'usage_differs'
}

const hasRatios = ({ ratios }: TheirCall) => ratios.model_ratio !== undefined || isByCall(ratios)
const isByCall = ({ model_price = -1 }: TheirRatios) => model_price >= 0

function priceReasons({ ratios, quota }: TheirCall, ours: OurCall): ShadowReason[] {
  const { price } = ours
  if (!price) return []
  if (isFree(price) && quota) return ['free_here']
  if (ours.quota && isFree(ratios)) return ['free_there']
  const differing = SHADOW_RATIOS.filter(
    name =>
      ratios[name] !== undefined && isUsed(name, ours, price, isByCall(ratios)) && !isSame(ratios[name], price[name]),
  )
  return differing
}

const isFree = ({ model_price = -1, model_ratio, group_ratio }: TheirRatios) =>
  group_ratio === 0 || (model_price >= 0 ? model_price === 0 : model_ratio === 0)

/** Whether a ratio has a part in both bills. */
function isUsed(name: keyof TheirRatios, ours: OurCall, price: ShadowPrice, isTheirsByCall: boolean): boolean {
  const isOursByCall = price.model_price >= 0
  if (name === 'group_ratio') return true
  if (name === 'model_price') return isOursByCall || isTheirsByCall
  if (isOursByCall || isTheirsByCall) return false
  if (name === 'completion_ratio') return ours.completion_tokens > 0
  if (name === 'cache_ratio') return price.cache_tokens > 0
  return name === 'cache_creation_ratio' ? price.cache_creation_tokens > 0 : true
}

/** Ratios of logs are floats, and texts of two decimals in those of one-api. */
const isSame = (theirs = 0, ours = 0) => Math.abs(theirs - ours) <= 1e-9 * Math.max(1, Math.abs(ours))
