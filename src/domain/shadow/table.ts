/** Calls that passed to another gateway, as Tollgate would have billed them. */
import type { ShadowOutcome, ShadowPrice } from '../../contracts/shadow.ts'
import { column as c } from '../../db/columns.ts'

export const shadowCalls = c.table(
  'shadow_calls',
  {
    id: c.id(),
    /** Unix seconds of its end. */
    created_at: c.whole().notNull(),
    duration_ms: c.whole().notNull(),
    /** SHA-256 of the API key without `sk-`; empty where the call had none. */
    key_hash: c.text().notNull(),
    /** 0 for a key that is not known here. */
    token_id: c.whole().notNull(),
    user_id: c.whole().notNull(),
    /** Id that the other gateway gave the call; empty for none. */
    their_id: c.text().notNull(),
    path: c.text().notNull(),
    /** Empty where the request was not read. */
    model: c.text().notNull(),
    group: c.text().notNull(),
    is_stream: c.flag().notNull(),
    /** HTTP status of the other gateway; 499 where the client left before it answered. */
    status: c.whole().notNull(),
    outcome: c.text().$type<ShadowOutcome>().notNull(),
    /** Code of the refusal with which Tollgate would have answered; empty for none. */
    refusal: c.text().notNull(),
    prompt_tokens: c.whole().notNull(),
    completion_tokens: c.whole().notNull(),
    quota: c.whole().notNull(),
    /** The response had no usage, and its tokens are counted here. */
    is_estimated: c.flag().notNull(),
    /** What the bill was made of; null where there is none. */
    price: c.json<ShadowPrice | null>(),
  },
  call => [c.index('shadow_calls_created').on(call.created_at, call.id)],
)
