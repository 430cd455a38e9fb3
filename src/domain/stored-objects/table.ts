/** What upstreams store for users under ids of their own: each belongs to its maker, and to the channel and key that hold it. */
import { column as c } from '../../db/columns.ts'

export const storedObjects = c.table(
  'stored_objects',
  {
    /** A `StoredKind`. */
    kind: c.text().notNull(),
    /** Start of the SHA-256 of the id: clients send ids of any length. */
    id_hash: c.text().notNull(),
    /** The user whose call made it; 0 for one that was made elsewhere and has only been used here, -1 for a deleted one. */
    user_id: c.whole().notNull(),
    channel_id: c.whole().notNull(),
    /** Start of the SHA-256 of the channel's key. */
    key_hash: c.text().notNull(),
    /** The upstream's id, where clients know the object under another one; else empty. */
    upstream_id: c.text().notNull().default(''),
    /** Tokens that the upstream reads again with every call that names it. */
    tokens: c.whole().notNull(),
    /** Objects of one group are together as long as the longest of them states; empty for one that is none's part. */
    group_hash: c.text().notNull().default(''),
    created_time: c.whole().notNull(),
    expires_time: c.whole().notNull(),
  },
  stored => [
    c.primary({ columns: [stored.kind, stored.id_hash] }),
    c.index('stored_objects_expiry').on(stored.expires_time),
  ],
)

/**
 * Items of responses. Most calls that store write some, so that a row has little and no other index: it lives as long as
 * that of its response.
 */
export const storedItems = c.table('stored_items', {
  /** The first 52 bits of the SHA-256 of the id. */
  id_hash: c.whole().primaryKey(),
  /** `id_hash` of the response. */
  response_hash: c.text().notNull(),
  /** Tokens of all items of the response, with what its tools have read. */
  tokens: c.whole().notNull(),
})

export type StoredRow = typeof storedObjects.$inferSelect
