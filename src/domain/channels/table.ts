import { ChannelStatus } from '../../contracts/channel.ts'
import { column as c } from '../../db/columns.ts'

/** A connection to a provider. Its keys are sealed together, comma-joined. */
export const channels = c.table(
  'channels',
  {
    id: c.id(),
    name: c.text().notNull(),
    type: c.whole().notNull().default(1),
    key_sealed: c.text().notNull(),
    status: c.whole().notNull().default(ChannelStatus.enabled),
    base_url: c.text().notNull().default(''),
    other: c.text().notNull().default(''),
    openai_organization: c.text().notNull().default(''),
    models: c.text().notNull().default(''),
    group: c.text().notNull().default('default'),
    model_mapping: c.text().notNull().default(''),
    status_code_mapping: c.text().notNull().default(''),
    model_prefix: c.text().notNull().default(''),
    param_override: c.text().notNull().default(''),
    /** JSON text; a proxy's address may have a password in it. */
    setting: c.sealed().notNull().default(''),
    system_prompt: c.text().notNull().default(''),
    test_model: c.text().notNull().default(''),
    tag: c.text().notNull().default(''),
    priority: c.whole().notNull().default(0),
    weight: c.whole().notNull().default(0),
    auto_ban: c.whole().notNull().default(1),
    max_input_tokens: c.whole().notNull().default(0),
    used_quota: c.whole().notNull().default(0),
    /** Milliseconds of the last successful test; 0 is untested. */
    response_time: c.whole().notNull().default(0),
    test_time: c.whole().notNull().default(0),
    /** In the provider's currency. */
    balance: c.decimal().notNull().default(0),
    balance_updated_time: c.whole().notNull().default(0),
    other_info: c.text().notNull().default(''),
    created_time: c.whole().notNull(),
  },
  channel => [c.index('channels_priority').on(channel.priority, channel.id), c.index('channels_tag').on(channel.tag)],
)

export type ChannelRow = typeof channels.$inferSelect

/** Which channel serves which model to which group; made anew from the channel whenever it is saved. */
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

/** Keys that are not used; a key without a row is good. Kept here, so that all nodes know. */
export const closedKeys = c.table(
  'channel_keys_closed',
  {
    channel_id: c
      .whole()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** SHA-256 of the key. */
    key_hash: c.text().notNull(),
    /** As a channel's: by hand, or by itself. */
    status: c.whole().notNull(),
    reason: c.text().notNull(),
    closed_time: c.whole().notNull(),
  },
  key => [c.primary({ columns: [key.channel_id, key.key_hash] })],
)

/** Attempts by the hour: what the health strips show. */
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
