/** Which failures send a call on to its next group or model, and the reasons that its log gives for them. */
import type { PassedGroup } from '../../contracts/log.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isShortage } from '../../domain/wallet/index.ts'
import type { MessageKey } from '../../locales/index.ts'
import { Fault } from './fault.ts'

type Why = PassedGroup['why']

const reasons: Partial<Record<MessageKey, Why>> = {
  'relay.model_not_found': 'no_channel',
  'relay.no_channel': 'no_channel',
  'relay.channel_unfit': 'no_channel',
  // What the call refers to may have been made in another group.
  'relay.stored_unknown': 'no_channel',
  'relay.channels_cooling_down': 'cooling_down',
  'relay.upstream_saturated': 'full',
  'relay.channels_full': 'full',
  'relay.queue_full': 'full',
  'relay.group_forbidden': 'forbidden',
  'relay.model_forbidden': 'forbidden',
  'relay.model_unpriced': 'unpriced',
}

/** @returns undefined for what is no failure of a call */
export function whyPassedOver(error: unknown): Why | undefined {
  if (!(error instanceof Refusal || error instanceof Fault)) return undefined
  return reasons[error.code] ?? (error instanceof Fault ? 'failed' : isShortage(error) ? 'unpaid' : 'refused')
}

/** Whether no channel of the group can serve the call, whatever becomes of the others. */
export const isWithoutChannel = (error: unknown): boolean => whyPassedOver(error) === 'no_channel'

/** Whether another group or model may serve what these channels did not. */
export const mayFallBack = (error: unknown): boolean =>
  error instanceof Fault && (error.retry || error.overflow !== undefined || error.code in reasons)

const ranks: readonly (Why | undefined)[] = [
  'no_channel',
  'forbidden',
  'unpriced',
  'refused',
  'unpaid',
  'full',
  'cooling_down',
  'failed',
]

/** A model that a group does not list may be listed by another. */
const rankOf = (error: unknown) =>
  error instanceof Refusal && error.code === 'relay.model_not_found' ? -1 : ranks.indexOf(whyPassedOver(error))

/** What stands in the way of a model before it is held for. */
const LACKS = ranks.indexOf('refused')

/**
 * Of two failures the one that says more to the client; of equal ones the later.
 * @param isFurther the later one is that of a model which the call has fallen back to: what that lacks is no answer to a
 * client that has asked for another
 */
export function moreTelling(before: unknown, error: unknown, isFurther: boolean): unknown {
  if (!whyPassedOver(error)) return error
  const rank = rankOf(error)
  const saysLess = before !== undefined && (rank < rankOf(before) || (isFurther && rank <= LACKS))
  return saysLess ? before : error
}
