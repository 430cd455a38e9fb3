/** Reads a prediction that has ended. https://replicate.com/docs/reference/http#predictions.get (read 2026-11) */
import { type Usage, usageOf } from '../../billing/usage.ts'
import type { ChatResponse } from '../canonical/chat.ts'
import { numberOf, objectOf, textOf } from '../json/lenient-json.ts'
import type { PredictionMetrics, PredictionState } from './wire.ts'

/** @returns undefined for one that is still running, or whose output is no text */
export function readResponse(body: unknown): ChatResponse | undefined {
  const { id, model, status, output, metrics, created_at } = objectOf<PredictionState>(body)
  const text = textOfOutput(output)
  if (status !== 'succeeded' || text === undefined) return undefined
  const created = Date.parse(textOf(created_at))
  const usage = readMetrics(metrics)
  return {
    id: textOf(id),
    model: textOf(model),
    ...(Number.isFinite(created) && { created: Math.floor(created / 1000) }),
    choices: [{ parts: text ? [{ kind: 'text', text }] : [], finish: { reason: 'stop' } }],
    ...(usage && { usage }),
    doubts: [],
  }
}

/** A text, or its pieces. */
export function textOfOutput(output: unknown): string | undefined {
  if (typeof output === 'string') return output
  const isPieces = Array.isArray(output) && output.every(piece => typeof piece === 'string')
  return isPieces ? output.join('') : undefined
}

/** Models that are priced by tokens report them. */
export function readMetrics(metrics: unknown): Usage | undefined {
  const { input_token_count, output_token_count } = objectOf<PredictionMetrics>(metrics)
  const [input, output] = [countOf(input_token_count), countOf(output_token_count)]
  return input === undefined || output === undefined ? undefined : usageOf({ input, output })
}

function countOf(value: unknown): number | undefined {
  const count = numberOf(value)
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}
