/** Reads fields that list the models which may answer in the place of the requested one. */
import { isObject } from '../../formats/json/checks.ts'

interface ModelList {
  /** Undefined when an entry names something else than a model with limits of its own. */
  models: string[] | undefined
  /** Tariffs of single entries. */
  speeds: { speed: unknown; at: number }[]
}

/**
 * What an entry of Anthropic's list may hold: its limit is reserved and lowered with that of the request.
 * https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback (read 2026-11)
 */
const ownFields = new Set(['model', 'max_tokens', 'thinking', 'output_config', 'speed'])
const nameAlone = new Set(['model'])

/** @param format of the client */
export function modelList(value: unknown, format: string): ModelList {
  if (!Array.isArray(value)) return { models: undefined, speeds: [] }
  const models = value.map(entry => modelIn(entry, format === 'anthropic' ? ownFields : nameAlone))
  return {
    models: models.every(model => model !== undefined) ? models : undefined,
    speeds: value.flatMap((entry, at) => (isObject(entry) && 'speed' in entry ? [{ speed: entry.speed, at }] : [])),
  }
}

function modelIn(entry: unknown, fields: Set<string>): string | undefined {
  if (typeof entry === 'string') return entry || undefined
  if (!isObject(entry) || typeof entry.model !== 'string') return undefined
  return Object.keys(entry).every(field => fields.has(field)) ? entry.model || undefined : undefined
}
