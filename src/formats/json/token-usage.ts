/** Usage reports with `input_tokens` and `output_tokens` and details by kind. */

import { type Usage, usageOf } from '../../billing/usage.ts'
import type { Json } from '../../pure/json.ts'
import { isObject } from './checks.ts'
import { plausible, share } from './reported-counts.ts'

interface TokenReport {
  usage: Usage
  doubts: string[]
}

/** The kind of output of a report without details. */
type Output = 'output' | 'output_audio' | 'output_image'

/** @returns undefined when the report has no plausible count */
export function readTokens(report: Json | undefined, made: Output = 'output'): TokenReport | undefined {
  const doubts: string[] = []
  const count = (value: unknown, name: string) => plausible(value, name, doubts)
  const ins = count(report?.input_tokens ?? report?.prompt_tokens, 'input_tokens') ?? 0
  const outs = count(report?.output_tokens ?? report?.completion_tokens, 'output_tokens') ?? 0
  if (!ins && !outs) return undefined
  const of = detailsIn(report, 'input')
  const by = detailsIn(report, 'output')

  const input = share(ins, 'input', doubts)
  const cached = isObject(of.cached_tokens_details) ? of.cached_tokens_details : {}
  const fresh = (kind: string) => (count(of[kind], kind) ?? 0) - (count(cached[kind], kind) ?? 0)
  const usage = usageOf({
    cache_read: input.take(count(of.cached_tokens, 'cached_tokens'), 'cached_tokens'),
    input_audio: input.take(Math.max(0, fresh('audio_tokens')), 'audio_tokens'),
    input_image: input.take(Math.max(0, fresh('image_tokens')), 'image_tokens'),
    input: input.rest(),
  })
  const output = share(outs, 'output', doubts)
  usage.output_audio = output.take(count(by.audio_tokens, 'audio_tokens'), 'audio_tokens')
  usage.output_image = output.take(count(by.image_tokens, 'image_tokens'), 'image_tokens')
  usage.reasoning = Math.min(count(by.reasoning_tokens, 'reasoning_tokens') ?? 0, outs)
  // Without details, all output is of the one kind that the format has.
  const rest: Output = isAbsentAll(by) ? made : 'output'
  usage[rest] += output.rest()
  return { usage, doubts }
}

/** OpenAI writes `_tokens_details` and `_token_details`. */
export function detailsIn(report: Json | undefined, side: 'input' | 'output'): Json {
  const details = report?.[`${side}_tokens_details`] ?? report?.[`${side}_token_details`]
  return isObject(details) ? details : {}
}

const isAbsentAll = (details: Json) => Object.values(details).every(value => typeof value !== 'number')
