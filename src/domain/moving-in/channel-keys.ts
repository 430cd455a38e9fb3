/** Keys of a channel of another gateway, as Tollgate writes those of its type. */
import { ChannelStatus } from '../../contracts/channel.ts'
import type { ForeignRow, ForeignValue } from '../../db/foreign/foreign-database.ts'
import { keysOf } from '../routing/index.ts'
import { flag, json, text, whole } from './row.ts'

/** The parts that one-api keeps beside the key: of Bedrock, and the service account of Vertex. */
export function channelKeys(type: number, row: ForeignRow, config: Record<string, unknown>): string {
  const { ak, sk, region, vertex_ai_adc } = config
  if (ak && sk) return [ak, sk, region].join('|')
  if (typeof vertex_ai_adc === 'string' && vertex_ai_adc) return vertex_ai_adc
  const key = text(row.key).trim()
  return keysOf(key, type).length ? key : linesOf(key).join(',')
}

/** A JSON array of texts, or lines. */
function linesOf(key: string): string[] {
  try {
    const list: unknown = JSON.parse(key)
    if (Array.isArray(list)) return list.map(item => (typeof item === 'string' ? item : JSON.stringify(item)))
  } catch {
    // No JSON: lines.
  }
  return key.split(/[\r\n]+/).filter(Boolean)
}

/** Of a channel with several keys, those that are disabled: their numbers in the list. */
export function closedKeys(type: number, key: string, { channel_info }: ForeignRow) {
  const info = json(channel_info)
  if (!flag(info.is_multi_key as ForeignValue)) return []
  const list = info.multi_key_status_list
  const statuses: [string, ForeignValue][] = typeof list === 'object' && list ? Object.entries(list) : []
  const keys = keysOf(key, type)
  return statuses.flatMap(([index, status]) => {
    const closed = keys[Number(index)]
    if (!closed || whole(status) === ChannelStatus.enabled) return []
    return [
      {
        key: closed,
        status: whole(status) === ChannelStatus.disabled ? ChannelStatus.disabled : ChannelStatus.autoDisabled,
      },
    ]
  })
}
