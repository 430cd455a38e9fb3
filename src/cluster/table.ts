/** Rows that the nodes of an installation share. */
import { column as c } from '../db/columns.ts'

/** Nodes that share this database, by their last heartbeat. */
export const nodes = c.table('nodes', {
  id: c.text().primaryKey(),
  /** Unix seconds, by the database's clock. */
  seen_time: c.whole().notNull(),
  /** Since when its heartbeat is missed, by the database's clock; 0 while it is not. */
  missed_time: c.whole().notNull().default(0),
  /** The rest is written by `joining.ts` once the node has joined. Release of the program. */
  version: c.text().notNull().default(''),
  /** Name of the last migration that the program knows. */
  schema: c.text().notNull().default(''),
  /** How far its clock is before the database's; negative when it is behind. */
  clock_offset_ms: c.whole().notNull().default(0),
  /** JSON text of `NodeState`. */
  state: c.text().notNull().default(''),
})

/** Leases: the right of one node to run a job. */
export const jobs = c.table('jobs', {
  name: c.text().primaryKey(),
  /** Id of the node that holds the lease; empty when none does. */
  node: c.text().notNull(),
  /** Last renewal, by the database's clock. */
  seen_time: c.whole().notNull(),
  /** Start of the last run. */
  started_time: c.whole().notNull(),
  /** Grows each time the lease is taken: a node that has lost it knows a smaller one. */
  fence: c.whole().notNull().default(0),
})

/** What a write has made stale in the caches of other nodes; see `changes.ts`. SQLite has one process and no rows. */
export const changes = c.table(
  'changes',
  {
    id: c.id(),
    /** Id of the transaction that wrote the row. */
    transaction: c.whole().notNull(),
    /** Id of the node that wrote it, and has forgotten what it had cached. */
    node: c.text().notNull(),
    /** Name of the cache. */
    name: c.text().notNull(),
    /** JSON text of the key; empty for every key. */
    key: c.text().notNull(),
    created_time: c.whole().notNull(),
  },
  change => [c.index('changes_transaction').on(change.transaction), c.index('changes_created').on(change.created_time)],
)

/** Short-lived secrets that are used once; see `one-time.ts`. */
export const oneTimeSecrets = c.table(
  'one_time_secrets',
  {
    /** For example `reset`: a secret of one purpose is worthless for another. */
    purpose: c.text().notNull(),
    /** Whom or what it is for: an address, a user id. */
    subject: c.text().notNull(),
    /** HMAC of the secret. */
    hash: c.text().notNull(),
    /** What is needed when the secret comes back. */
    data: c.sealed().notNull().default(''),
    /** Wrong and right attempts so far. */
    tries: c.whole().notNull().default(0),
    created_time: c.whole().notNull(),
    expires_time: c.whole().notNull(),
  },
  secret => [
    c.primary({ columns: [secret.purpose, secret.subject] }),
    c.index('one_time_secrets_expiry').on(secret.expires_time),
  ],
)

/**
 * Answers to requests that carried an `Idempotency-Key`, and to forms: a repetition is answered again, not done again.
 * Records that nodes share for as long are rows of their own actions; see `shared-record.ts`.
 */
export const idempotencyKeys = c.table(
  'idempotency_keys',
  {
    user_id: c.whole().notNull(),
    /** For example `pay`: a key of one action is unknown to another. */
    action: c.text().notNull(),
    key: c.text().notNull(),
    /** SHA-256 of the request's body: another body under the same key is refused. Empty for a form, whose key is of its body. */
    body_hash: c.text().notNull(),
    /** JSON text of the first answer. */
    answer: c.sealed().notNull(),
    created_time: c.whole().notNull(),
  },
  row => [
    c.primary({ columns: [row.user_id, row.action, row.key] }),
    c.index('idempotency_keys_created').on(row.created_time),
  ],
)
