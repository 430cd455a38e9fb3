/** Entries of the usage log, and calls billed as the relay settles them. */
import { usageOf } from '../../../src/billing/usage.ts'
import { LogType } from '../../../src/contracts/log.ts'
import { requestId } from '../../../src/crypto/random-id.ts'
import { atomic } from '../../../src/db/atomic.ts'
import { db } from '../../../src/db/database.ts'
import { type NewLog, recordAll } from '../../../src/domain/logs/service.ts'
import { logs } from '../../../src/domain/logs/table.ts'
import { reserve, settle } from '../../../src/domain/wallet/service.ts'
import { now, shiftClock } from '../../../src/process/clock.ts'
import type { Person } from './person.ts'

/** Writes entries of a person, consumption unless they name another type. */
export const write = (person: Person, ...entries: Partial<NewLog>[]) =>
  atomic(tx =>
    recordAll(
      tx,
      entries.map(entry => ({ user_id: person.id, username: person.username, type: LogType.consume, ...entry })),
    ),
  )

/** Runs `work` on an empty log. */
export const onEmptyLog = async (work: () => Promise<void>) => {
  await db.delete(logs)
  await work()
}

interface Spending {
  quota: number
  model?: string
  input?: number
  cached?: number
  output?: number
  /** Unix seconds; the clock stays there. */
  at?: number
  channel_id?: number
  token_id?: number
  token_name?: string
  group?: string
}

/** Bills a call to a person. */
export async function spend(person: Person, spending: Spending) {
  const { quota, model = 'gpt-4o', input = 10, cached = 0, output = 5, at = now(), channel_id = 0 } = spending
  const { token_id = 0, token_name = '', group = 'default' } = spending
  const request_id = requestId()
  const reservation = await reserve({ request_id, user_id: person.id, token_id, unlimited: true, model, quota })
  shiftClock(at - now())
  await settle(reservation, {
    quota,
    usage: usageOf({ input, cache_read: cached, output }),
    model,
    group,
    channel_id,
    log: {
      created_at: at,
      user_id: person.id,
      username: person.username,
      type: LogType.consume,
      request_id,
      model_name: model,
      token_id,
      token_name,
      group,
      channel: channel_id,
      quota,
      prompt_tokens: input + cached,
      completion_tokens: output,
    },
  })
}
