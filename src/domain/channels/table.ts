/** Channels, their abilities, disabled keys, hourly outcomes and hourly events. */
import { ChannelStatus } from '../../contracts/channel.ts'
import { FAILURE_KINDS, type FailureKind } from '../../contracts/channel-history.ts'
import { column as c } from '../../db/columns.ts'
import { firstTokenColumns } from '../usage/table.ts'

/** An operator's connection to a provider. `key_sealed` holds all keys, comma-joined. */
export const channels = c.table(
  'channels',
  {
    id: c.id(),
    name: c.text().notNull(),
    type: c.whole().notNull().default(1),
    key_sealed: c.text().notNull(),
    status: c.whole().notNull().default(ChannelStatus.enabled),
    base_url: c.text().notNull().default(''),
    /** Whether an administrator below root has chosen its address: it leads to no private one that root has not opened. */
    guarded: c.flag().notNull().default(false),
    other: c.text().notNull().default(''),
    openai_organization: c.text().notNull().default(''),
    models: c.text().notNull().default(''),
    group: c.text().notNull().default('default'),
    model_mapping: c.text().notNull().default(''),
    status_code_mapping: c.text().notNull().default(''),
    model_prefix: c.text().notNull().default(''),
    param_override: c.text().notNull().default(''),
    /** JSON text, sealed: a proxy's address may hold a password. */
    setting: c.sealed().notNull().default(''),
    system_prompt: c.text().notNull().default(''),
    test_model: c.text().notNull().default(''),
    tag: c.text().notNull().default(''),
    priority: c.whole().notNull().default(0),
    weight: c.whole().notNull().default(0),
    auto_ban: c.whole().notNull().default(1),
    max_input_tokens: c.whole().notNull().default(0),
    used_quota: c.whole().notNull().default(0),
    /** Milliseconds of the last passed test; 0 before the first. */
    response_time: c.whole().notNull().default(0),
    test_time: c.whole().notNull().default(0),
    /** Status that the last test was refused with, or the code of its `ProbeFailure`; empty when it passed. */
    test_failure: c.text().notNull().default(''),
    /** In the provider's currency. */
    balance: c.decimal().notNull().default(0),
    balance_updated_time: c.whole().notNull().default(0),
    other_info: c.text().notNull().default(''),
    created_time: c.whole().notNull(),
  },
  channel => [c.index('channels_priority').on(channel.priority, channel.id), c.index('channels_tag').on(channel.tag)],
)

export type ChannelRow = typeof channels.$inferSelect

/** Which channel serves which model to which group; rebuilt whenever the channel is saved. */
export const abilities = c.table(
  'abilities',
  {
    group: c.text().notNull(),
    model: c.text().notNull(),
    channel_id: c
      .whole()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    enabled: c.flag().notNull(),
    priority: c.whole().notNull(),
    weight: c.whole().notNull(),
  },
  ability => [
    c.primary({ columns: [ability.group, ability.model, ability.channel_id] }),
    c.index('abilities_channel').on(ability.channel_id),
  ],
)

/** Disabled keys; a key without a row is enabled. */
export const disabledKeys = c.table(
  'channel_keys_closed',
  {
    channel_id: c
      .whole()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** SHA-256 of the key. */
    key_hash: c.text().notNull(),
    /** A channel status: disabled by hand or auto-disabled. */
    status: c.whole().notNull(),
    reason: c.text().notNull(),
    closed_time: c.whole().notNull(),
  },
  key => [c.primary({ columns: [key.channel_id, key.key_hash] })],
)

/** Attempts per hour, shown as health strips. */
export const channelHours = c.table(
  'channel_hourly',
  {
    channel_id: c
      .whole()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** Unix seconds of the hour's start. */
    hour: c.whole().notNull(),
    succeeded: c.whole().notNull().default(0),
    failed: c.whole().notNull().default(0),
  },
  row => [c.primary({ columns: [row.channel_id, row.hour] })],
)

const countColumn = () => c.whole().notNull().default(0)
const failureColumns = () =>
  Object.fromEntries(FAILURE_KINDS.map(kind => [kind, countColumn()])) as Record<
    FailureKind,
    ReturnType<typeof countColumn>
  >

/** Hours of a model, hours of all models together, days of UTC of a model. */
export type HistoryPart = 'hour' | 'all' | 'day'

/**
 * Attempts of channels with the times to first token of those that were streamed, added up in three ways, so that 90 days
 * are few rows by the hour and by model. Kept `HISTORY_DAYS`.
 */
export const channelHistory = c.table(
  'channel_history',
  {
    channel_id: c
      .whole()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** A `HistoryPart`. */
    part: c.text().notNull(),
    /** Unix seconds of the start of the hour or day. */
    start: c.whole().notNull(),
    /** Blank for those past `HISTORY_MODELS_MAX`, and for all together. */
    model: c.text().notNull(),
    succeeded: countColumn(),
    ...failureColumns(),
    ...firstTokenColumns(),
  },
  row => [c.primary({ columns: [row.channel_id, row.part, row.start, row.model] })],
)

/** Cooldowns and closings per hour and cause. Kept `HISTORY_DAYS`. */
export const channelEventHours = c.table(
  'channel_event_hourly',
  {
    channel_id: c
      .whole()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** Unix seconds of the hour's start. */
    hour: c.whole().notNull(),
    /** A `ChannelEvent`. */
    event: c.text().notNull(),
    /** The provider's name of the model that alone was cooling down; else blank. */
    model: c.text().notNull(),
    /** An `EventCause`. */
    cause: c.text().notNull(),
    times: countColumn(),
    /** Length of the cooldowns. */
    ms: countColumn(),
    /** Unix seconds of the last one, and its reason: a message key, or an upstream's words without keys. */
    last_at: c.whole().notNull(),
    reason: c.text().notNull(),
  },
  row => [c.primary({ columns: [row.channel_id, row.hour, row.event, row.model, row.cause] })],
)
