/** The usage log of new-api, one-api or Veloera, also from a database that has nothing else. */
import { SHADOW_RATIOS } from '../../contracts/shadow.ts'
import { UnusableDatabase } from '../../db/database.ts'
import type { ForeignDatabase, ForeignRow } from '../../db/foreign/foreign-database.ts'
import { decimal, json, text, whole } from '../moving-in/index.ts'

/** A charged call of the other gateway. */
export interface TheirCall {
  /** Unix seconds. */
  at: number
  user_id: number
  user: string
  model: string
  /** With what was read of and written to caches. */
  prompt_tokens: number
  completion_tokens: number
  /** Undefined where the log does not say. */
  cache_tokens: number | undefined
  cache_creation_tokens: number | undefined
  quota: number
  /** Empty for none. */
  request_id: string
  /** What its bill was made of, as far as the log says. */
  ratios: TheirRatios
}

export type TheirRatios = Partial<Record<(typeof SHADOW_RATIOS)[number], number>>

const NEEDED = ['user_id', 'created_at', 'type', 'model_name', 'quota', 'prompt_tokens', 'completion_tokens']
const COLUMNS = [...NEEDED, 'username', 'content', 'other', 'request_id']

/** Usage, also of the oldest versions. */
const USAGE = new Set([0, 2])

/** @throws UnusableDatabase for a database without such a table */
export function checkLog({ columns, name }: ForeignDatabase) {
  const known = columns.get('logs')
  const missing = NEEDED.filter(column => !known?.has(column))
  if (missing.length)
    throw new UnusableDatabase(
      `${name} has no usage log of new-api, one-api or Veloera: ${missing.map(column => `logs.${column}`).join(', ')} not found`,
    )
}

/** In batches, oldest first. @param until exclusive */
export async function* theirCalls(from: ForeignDatabase, since: number, until: number): AsyncGenerator<TheirCall[]> {
  for await (const rows of from.read('logs', COLUMNS, { since: { column: 'created_at', least: since } })) {
    const calls = rows.filter(row => USAGE.has(whole(row.type))).map(callOf)
    yield calls.filter(({ at }) => at < until)
    if (whole(rows[0]!.created_at) >= until && whole(rows.at(-1)!.created_at) >= until) return
  }
}

function callOf(row: ForeignRow): TheirCall {
  const other = json(row.other)
  const count = (name: string) => (other[name] === undefined ? undefined : whole(other[name] as number))
  const cache_tokens = count('cache_tokens')
  const cache_creation_tokens = count('cache_creation_tokens')
  // Of Claude's calls the prompt is counted without what caches hold.
  const apart = other.claude === true ? (cache_tokens ?? 0) + (cache_creation_tokens ?? 0) : 0
  return {
    at: whole(row.created_at),
    user_id: whole(row.user_id),
    user: text(row.username),
    model: text(row.model_name),
    prompt_tokens: whole(row.prompt_tokens) + apart,
    completion_tokens: whole(row.completion_tokens),
    cache_tokens,
    cache_creation_tokens,
    quota: whole(row.quota),
    request_id: text(row.request_id),
    ratios: row.other === undefined ? ratiosIn(text(row.content)) : ratiosOf(other),
  }
}

const ratiosOf = (other: Record<string, unknown>): TheirRatios =>
  Object.fromEntries(
    SHADOW_RATIOS.filter(name => typeof other[name] === 'number').map(name => [name, decimal(other[name] as number)]),
  )

/** one-api writes model, group and completion ratio into the text: `倍率：2.50 × 1.00 × 4.00`. */
const CONTENT = /(\d+(?:\.\d+)?) × (\d+(?:\.\d+)?) × (\d+(?:\.\d+)?)/

function ratiosIn(content: string): TheirRatios {
  const [, model_ratio, group_ratio, completion_ratio] = CONTENT.exec(content) ?? []
  return model_ratio === undefined
    ? {}
    : {
        model_ratio: decimal(model_ratio),
        group_ratio: decimal(group_ratio),
        completion_ratio: decimal(completion_ratio),
      }
}
