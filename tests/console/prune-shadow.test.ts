/** Calls in the shadow of another gateway are kept for 30 days. */
import { expect, test } from 'bun:test'
import { jobsDone } from '../../src/cluster/leases.ts'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { SHADOW_KEEP_DAYS } from '../../src/contracts/shadow.ts'
import { db } from '../../src/db/database.ts'
import { recordShadow } from '../../src/domain/shadow/index.ts'
import { shadowCalls } from '../../src/domain/shadow/table.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { now } from '../../src/process/clock.ts'
import { setUp } from '../support/people/person.ts'

const DAY = 86_400
const call = {
  ...{ duration_ms: 5, key_hash: '', token_id: 0, user_id: 0, their_id: '', path: '/v1/chat/completions', model: 'm' },
  ...{ group: 'default', is_stream: false, status: 200, outcome: 'finished' as const, refusal: '', prompt_tokens: 1 },
  ...{ completion_tokens: 1, quota: 1, is_estimated: false, price: null },
}

test('prune-shadow: a call of 30 days goes, with all before it, and a younger one stays', async () => {
  await setUp()
  const young = now() - (SHADOW_KEEP_DAYS - 1) * DAY
  recordShadow('young', { ...call, created_at: young })
  for (let at = 0; at < 1500; at++)
    recordShadow(`old ${at}`, { ...call, created_at: now() - SHADOW_KEEP_DAYS * DAY - 60 - at })
  await flushBuffers()
  const left = () => db.select({ created_at: shadowCalls.created_at }).from(shadowCalls)
  expect((await left()).length).toBe(1501)
  await tick()
  await jobsDone()
  expect(await left()).toEqual([{ created_at: young }])
})
