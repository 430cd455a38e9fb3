/**
 * PostgreSQL: what running calls hold of their channels' budgets, with each other in one round trip, in the turns of the
 * channels. Those without room there are decided for in a transaction of their channel.
 */
import { NODE_ID } from '../../cluster/node.ts'
import { postgres } from '../../db/database.ts'
import { isLockTimeout, isLostConnection } from '../../db/transient-error.ts'
import { onReset } from '../../process/stores.ts'
import {
  type AskedBudgets,
  type BudgetHold,
  type BudgetRow,
  budgetParts,
  channelTurn,
  type HeldTogether,
  heldOf,
} from '../budgets/index.ts'
import { holdOfChannel, type WantedOfChannel } from './hold-of-channel.ts'
import { quoted } from './hold-together.ts'
import { OwnerTurns } from './owner-turns.ts'
import { amountsOf, type Reservation } from './reservation.ts'
import { Rounds } from './rounds.ts'

/** Longer, and each call waits for its own channel alone. */
const TURN_TIMEOUT_MS = 200

interface WaitingOfChannel extends WantedOfChannel {
  channel_id: number
  /** A lost transaction may have held it. */
  isRepeated: boolean
  resolve(holds: BudgetHold[]): void
  reject(error: unknown): void
}

const rounds = new Rounds(holdGroup)
const turns = new OwnerTurns(holdInTurn)
onReset('gathered-channel-holds', () => {
  rounds.reset()
  turns.reset()
})

/** @throws BudgetExhausted */
export async function gatherOfChannel(
  reservation: Reservation,
  channel_id: number,
  budgets: readonly BudgetRow[],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<BudgetHold[]>()
  rounds.add({ reservation, channel_id, budgets, isRepeated: false, resolve, reject })
  const more = await promise
  reservation.holds = [...(reservation.holds ?? []), ...more]
}

async function holdGroup(group: WaitingOfChannel[]) {
  try {
    const held = await holdTogether(group)
    for (const one of group) {
      const holds = held.get(one.reservation.request_id)
      if (holds) one.resolve(holds)
      else turns.add(one.channel_id, one)
    }
  } catch (error) {
    const isRepeated = isLostConnection(error)
    for (const one of group) {
      if (isRepeated || isLockTimeout(error)) turns.add(one.channel_id, { ...one, isRepeated })
      else one.reject(error)
    }
  }
}

async function holdInTurn(channel_id: number, group: WaitingOfChannel[]) {
  const isRepeated = group.some(one => one.isRepeated)
  try {
    const held = await holdOfChannel(channel_id, group, isRepeated)
    for (const [at, { resolve, reject }] of group.entries()) {
      const holds = held[at]!
      if (Array.isArray(holds)) resolve(holds)
      else reject(holds)
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

async function holdTogether(group: readonly WaitingOfChannel[]): Promise<Map<string, BudgetHold[]>> {
  const asked = group.map(({ reservation, budgets }, place): AskedBudgets => {
    return { place, request_id: reservation.request_id, budgets, amounts: amountsOf(reservation) }
  })
  const results = await postgres!.atOnce([
    `select set_config('lock_timeout', '${TURN_TIMEOUT_MS}', true)`,
    turnsOf(group),
    holdsOf(group, asked),
  ])
  return heldOf(asked, results[2]![0].answer as HeldTogether)
}

/** Every transaction takes them in the order of ids. Those that it has are a setting of the transaction: the next statement sees what was committed before. */
function turnsOf(group: readonly WaitingOfChannel[]) {
  const ids = [...new Set(group.map(({ channel_id }) => channel_id))].sort((one, other) => one - other)
  return `with turn as materialized (select id, ${channelTurn('id')} from unnest('{${ids.join()}}'::bigint[]) id)
    select set_config('tollgate.turns', coalesce(string_agg(id::text, ','), ''), true) from turn
    where exists (select 1 from nodes where nodes.id = '${NODE_ID}' for key share)`
}

function holdsOf(group: readonly WaitingOfChannel[], asked: readonly AskedBudgets[]) {
  const { check, write, answer } = budgetParts(asked, 1)
  const rows = group.map(({ reservation, channel_id }, place) => {
    return `(${place}, ${quoted(reservation.request_id)}, ${channel_id}::bigint)`
  })
  const wanted = `wanted as (
    select * from (values ${rows.join()}) as call (place, request_id, channel_id)
    where channel_id = any (string_to_array(nullif(current_setting('tollgate.turns'), ''), ',')::bigint[])
  )`
  const held = 'held as (select request_id from wanted where place not in (select place from "full"))'
  return `with ${[wanted, check, held, write].join()} select ${answer} as answer`
}
