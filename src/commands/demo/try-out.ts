/** The first months of the demo: its administrator tries each model a few times a day. */
import { bill } from '../../billing/bill.ts'
import { usageOf } from '../../billing/usage.ts'
import type { SessionUser } from '../../contracts/account.ts'
import { requestId } from '../../crypto/random-id.ts'
import { priceFor } from '../../domain/pricing/index.ts'
import { countFailure, countFirstToken } from '../../domain/usage/index.ts'
import { reserve, settle } from '../../domain/wallet/index.ts'
import { shiftClock } from '../../process/clock.ts'
import { commaList } from '../../pure/lists.ts'
import { type ChannelShare, type Draw, drawFirstToken, picker } from './usage.ts'

const DAY_SECONDS = 86_400
const CALLS_MAX = 3
/** Tokens of the longest prompts and answers, on the last day: they grow from nothing. */
const PROMPT_MAX = 190_000
const OUTPUT_MAX = 8000
/** Of the calls of a day on which an upstream is in trouble, half fail; of the others one in as many. */
const ONE_DAY_IN_TROUBLE = 45
const ONE_FAILS_IN = 60

/** One transaction for each day. */
export async function tryOut(owner: SessionUser, channels: ChannelShare[], days: number) {
  const pick = picker()
  for (let day = 0; day < days; day++) {
    shiftClock(DAY_SECONDS / 2)
    const calls = channels
      .filter(({ share }) => share > 0)
      .flatMap(channel =>
        commaList(channel.models).flatMap(model => callsOf(owner, channel, { model, part: (day + 1) / days, pick })),
      )
    await Promise.all(calls)
    shiftClock(DAY_SECONDS / 2)
  }
}

interface Day {
  model: string
  /** Of the days that have passed by now. */
  part: number
  pick: Draw
}

function callsOf(owner: SessionUser, channel: ChannelShare, { model, part, pick }: Day): Promise<unknown>[] {
  const { group } = owner
  const price = priceFor(model, { group, user_group: group })
  if (!price) return []
  const isInTrouble = pick(ONE_DAY_IN_TROUBLE) === 0
  return Array.from({ length: 1 + pick(CALLS_MAX) }, async (_, call) => {
    const attempt = { user_id: owner.id, token_id: 0, channel_id: channel.id, model, group }
    if (isInTrouble ? call % 2 === 1 : pick(ONE_FAILS_IN) === 0) return countFailure(attempt)
    const usage = usageOf({ input: 200 + pick(part * PROMPT_MAX), output: 40 + pick(part * OUTPUT_MAX) })
    const { quota } = bill(usage, price)
    const request_id = requestId()
    const reservation = await reserve({ request_id, user_id: owner.id, token_id: 0, unlimited: true, model, quota })
    countFirstToken(model, drawFirstToken(model, pick))
    await settle(reservation, { quota, usage, model, group, channel_id: channel.id, log: undefined })
  })
}
