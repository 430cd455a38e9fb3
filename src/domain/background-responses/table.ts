/** Responses that are kept for clients who fetch them later, with their events, sealed, for a day. */
import { column as c } from '../../db/columns.ts'

export const backgroundResponses = c.table(
  'background_responses',
  {
    id: c.text().primaryKey(),
    user_id: c.whole().notNull(),
    /** Id of the node that runs it, or where it waits for its turn. */
    node: c.text().notNull(),
    /** A `BackgroundStatus`. */
    status: c.text().notNull(),
    /** Its events are kept too. */
    is_streamed: c.flag().notNull(),
    /** Of what is kept. */
    bytes: c.whole().notNull(),
    created_time: c.whole().notNull(),
    expires_time: c.whole().notNull(),
    /** The response object, compressed. */
    response: c.sealed().notNull(),
  },
  row => [
    c.index('background_responses_user').on(row.user_id, row.bytes),
    c.index('background_responses_expiry').on(row.expires_time),
  ],
)

export const backgroundEvents = c.table(
  'background_events',
  {
    response_id: c
      .text()
      .notNull()
      .references(() => backgroundResponses.id, { onDelete: 'cascade' }),
    /** Sequence number of the first event. */
    first: c.whole().notNull(),
    /** Sequence number of the last event. */
    last: c.whole().notNull(),
    /** JSON list of the events, compressed. */
    events: c.sealed().notNull(),
  },
  row => [c.primary({ columns: [row.response_id, row.first] })],
)
