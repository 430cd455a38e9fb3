/** Records of the calls that the log of a bench has, each about as long as one may be. */
import { sql } from 'drizzle-orm'
import { atomic, rawQuery, run } from '../../src/db/atomic.ts'
import { encodeRecord } from '../../src/domain/logs/record-codec.ts'

const record = encodeRecord({
  times: { admitted: 3, reserving: 4, reserved: 6, ended: 5211, written: 5230 },
  attempts: [1, 2].map(id => ({
    ...{ channel: id, start: 7, sent: 8, headers: 1200, first: 1300, end: 5210, status: 500 },
    reason: 'The upstream is overloaded, try again later',
  })),
  attempts_left_out: 0,
  limits: [],
  candidates: Array.from({ length: 8 }, (_, at) => ({ id: at + 1, priority: 9, weight: 10 * at })),
  candidates_left_out: 0,
  picks: [{ draw: 3_141_592_653, chosen: 0, closed: [] }],
})

/** @param since unix seconds */
export const recordLoggedCalls = (since = 0) =>
  atomic(tx =>
    run(
      rawQuery(
        tx,
        sql`insert into call_records (request_id, user_id, created_at, record)
          select request_id, user_id, created_at, ${record} from logs
          where type in (2, 6) and created_at >= ${since} on conflict do nothing`,
      ),
    ),
  )
