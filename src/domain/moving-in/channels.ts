/** Channels of another gateway: their types by Tollgate's numbers, their keys sealed. */
import { ChannelStatus, channelFields } from '../../contracts/channel.ts'
import { digest, seal } from '../../crypto/sealing.ts'
import { run } from '../../db/atomic.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { joinKeys, providerOf } from '../../providers/index.ts'
import { flawsOf, rebuildAbilities } from '../channels/index.ts'
import { channels, disabledKeys } from '../channels/table.ts'
import { announceChannels, keysOf } from '../routing/index.ts'
import { recordOpenings } from '../wallet/index.ts'
import { carryAll, type Entry } from './carry.ts'
import { channelKeys, closedKeys } from './channel-keys.ts'
import { typeHere } from './channel-types.ts'
import { type Move, note } from './move.ts'
import { decimal, isBroken, json, text, whole } from './row.ts'

const COLUMNS = [
  ...['type', 'key', 'status', 'name', 'weight', 'created_time', 'test_time', 'response_time', 'base_url', 'other'],
  ...[
    'balance',
    'balance_updated_time',
    'models',
    'group',
    'used_quota',
    'model_mapping',
    'priority',
    'config',
    'setting',
  ],
  ...['openai_organization', 'test_model', 'status_code_mapping', 'auto_ban', 'tag', 'param_override', 'model_prefix'],
  ...['system_prompt', 'channel_info', 'settings', 'header_override'],
]

interface ChannelRow {
  channel: typeof channels.$inferInsert
  closed: { key: string; status: number }[]
  id?: number
}

export const moveChannels = (move: Move) =>
  carryAll<ChannelRow>(move, {
    noun: 'channel',
    table: channels,
    batches: move.from.read('channels', COLUMNS),
    read: rows => rows.flatMap(row => entryOf(move, row) ?? []),
    *write(tx, entries) {
      const ids: number[] = []
      for (const { row, source_id } of entries) {
        const [made] = yield* run(
          tx
            .insert(channels)
            .values({ ...row.channel, id: row.id })
            .returning(),
        )
        yield* rebuildAbilities(tx, [made!])
        const closed = row.closed.map(({ key, status }) => ({
          ...{ channel_id: made!.id, key_hash: digest(key), status, reason: '', closed_time: now() },
        }))
        if (closed.length) yield* run(tx.insert(disabledKeys).values(closed).onConflictDoNothing())
        yield* recordOpenings(tx, 'channel', [{ owner_id: made!.id, used_quota: made!.used_quota }])
        for (const line of move.report.channels) if (line.id === source_id) line.new_id = made!.id
        ids.push(made!.id)
      }
      yield* announceChannels(tx)
      return ids
    },
  })

function entryOf(move: Move, row: ForeignRow): Entry<ChannelRow> | undefined {
  const id = whole(row.id)
  const name = text(row.name) || `channel-${id}`
  const type = whole(row.type)
  if (isBroken(name)) note(move, 'channel', 'moving.text_broken', id, { name })
  const here = typeHere(move.product, type)
  const provider = here && providerOf(here.type)
  if (!here || !provider) return void note(move, 'channel', 'moving.channel_type', id, { name, type })
  const config = json(row.config)
  const base_url = fieldOf(move, row, 'base_url') || here.base_url || ''
  const key = channelKeys(here.type, row, config)
  const fields = {
    type: here.type,
    base_url,
    other: text(row.other) || otherOf(config),
    setting: fieldOf(move, row, 'setting'),
  }
  const flaws = flawsOf({ ...fields, key })
  for (const { field = '' } of flaws) note(move, 'channel', 'moving.channel_flaw', id, { name, field })
  move.report.channels.push({ id, new_id: id, name, type, new_type: here.type })
  noteLeft(move, id, name, row)
  return {
    source_id: id,
    row: {
      channel: {
        ...fields,
        name,
        key_sealed: seal(joinKeys(provider, keysOf(key, here.type))),
        status: flaws.length ? ChannelStatus.disabled : statusOf(row),
        ...Object.fromEntries(PLAIN.map(column => [column, fieldOf(move, row, column)])),
        models: fieldOf(move, row, 'models'),
        group: fieldOf(move, row, 'group') || 'default',
        priority: whole(row.priority),
        weight: Math.max(0, whole(row.weight)),
        auto_ban: whole(row.auto_ban, 1) ? 1 : 0,
        used_quota: Math.max(0, whole(row.used_quota)),
        response_time: Math.max(0, whole(row.response_time)),
        test_time: Math.max(0, whole(row.test_time)),
        balance: decimal(row.balance),
        balance_updated_time: Math.max(0, whole(row.balance_updated_time)),
        created_time: whole(row.created_time) || now(),
      },
      closed: closedKeys(here.type, key, row),
    },
  }
}

const PLAIN = [
  ...(['openai_organization', 'model_mapping', 'status_code_mapping', 'model_prefix', 'param_override'] as const),
  ...(['system_prompt', 'test_model', 'tag'] as const),
]

type Field = (typeof PLAIN)[number] | 'base_url' | 'setting' | 'models' | 'group'

/** As the form would store it; blank for what the form would refuse. */
function fieldOf(move: Move, row: ForeignRow, field: Field): string {
  const stored = text(row[field])
  if (!stored || stored === 'null') return ''
  const read = channelFields.shape[field].safeParse(stored)
  if (read.success) return String(read.data)
  note(move, 'channel', 'moving.channel_field', whole(row.id), { name: text(row.name), field })
  return ''
}

/** Region, version or library, which one-api keeps apart. */
const otherOf = ({ region, api_version, library_id, plugin, user_id }: Record<string, unknown>): string =>
  String([region, api_version, library_id, plugin, user_id].find(part => typeof part === 'string' && part) ?? '')

const statusOf = ({ status }: ForeignRow): number => {
  const known: number[] = Object.values(ChannelStatus)
  return known.includes(whole(status)) ? whole(status) : ChannelStatus.disabled
}

/** Columns for which Tollgate has no field. */
function noteLeft(move: Move, id: number, name: string, row: ForeignRow) {
  for (const field of ['settings', 'header_override'] as const)
    if (Object.keys(json(row[field])).length) note(move, 'channel', 'moving.channel_field', id, { name, field })
}
