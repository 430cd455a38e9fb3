/**
 * Tickets of password work. Who is known has a lane of their own: known browsers, sessions, links by mail. Strangers go by
 * the recent work of their address, so that addresses with many failures wait for the others.
 */
import { addEvent, countEvents } from '../../cluster/limits.ts'
import { SlidingWindow } from '../../cluster/sliding-window.ts'
import { Role } from '../../contracts/account.ts'
import type { QueueTicket } from '../../crypto/passwords.ts'
import { subscriberAt } from '../../pure/ip.ts'
import { type AttemptedAccount, type AttemptOrigin, nameOf } from './attempts.ts'

const work = new SlidingWindow('password-work')
const WORK_SECONDS = 900
/** Pieces of work that are remembered of one user or address. */
const WORK_KEPT = 100

/** For work of a user who is known already. Every piece counts. */
export async function knownTicket(user_id: number): Promise<QueueTicket> {
  const share = `user ${user_id}`
  const rank = await addEvent(work, share, WORK_KEPT, WORK_SECONDS)
  return { lane: 'known', shares: [share], rank }
}

/** For an attempt to sign in: shares of the account and the address. `countWork` counts what has failed. */
export async function ticketFor(account: AttemptedAccount, origin: AttemptOrigin): Promise<QueueTicket> {
  if (typeof account !== 'string' && origin.deviceOf(account) !== undefined) return knownTicket(account.id)
  const ticket = await unknownTicket(nameOf(account), origin)
  // An attack on other accounts does not delay root.
  const isRoot = typeof account !== 'string' && account.role >= Role.root
  return isRoot ? { ...ticket, rank: ticket.rank - 1 } : ticket
}

/** @param subject what the work is about: an account, a name */
export async function unknownTicket(
  subject: string,
  { address }: Pick<AttemptOrigin, 'address'>,
): Promise<QueueTicket> {
  const share = addressShare(address)
  return { lane: 'unknown', shares: [subject, share], rank: await countEvents(work, share, WORK_SECONDS) }
}

/** Of a stranger: what failed, or what everyone may ask for. */
export const countWork = ({ address }: Pick<AttemptOrigin, 'address'>) =>
  addEvent(work, addressShare(address), WORK_KEPT, WORK_SECONDS)

const addressShare = (address: string) => `address ${subscriberAt(address)}`
