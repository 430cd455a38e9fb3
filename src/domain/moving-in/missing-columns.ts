/** Columns that all gateways have had for long: where one is missing, its values are defaults here. */
import { type Move, note } from './move.ts'

const COLUMNS = {
  users: {
    noun: 'user',
    names: 'display_name email github_id access_token used_quota request_count group aff_code inviter_id',
  },
  tokens: { noun: 'token', names: 'status name created_time expired_time unlimited_quota used_quota' },
  channels: { noun: 'channel', names: 'status name weight base_url other group used_quota model_mapping priority' },
} as const

export function noteMissingColumns(move: Move) {
  for (const [table, { noun, names }] of Object.entries(COLUMNS)) {
    const missing = names.split(' ').filter(name => !move.from.columns.get(table)?.has(name))
    for (const column of missing) note(move, noun, 'moving.column_missing', 0, { column: `${table}.${column}` })
  }
}
