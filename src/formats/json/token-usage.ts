/** Reports that count `input_tokens` and `output_tokens`, with details by kind. */

import { type Usage, usageOf } from '../../billing/usage.ts'
import type { Json } from '../../pure/json.ts'
import { isObject } from './checks.ts'
import { plausible, share } from './reported-counts.ts'

interface Read {
  usage: Usage
  doubts: string[]
}

/** What the output is where the report does not say. */
type Output = 'output' | 'output_audio' | 'output_image'

/** Undefined when nothing in the report can be believed. */
export function readTokens(report: Json | undefined, made: Output = 'output'): Read | undefined {
  const doubts: string[] = []
  const told = (value: unknown, name: string) => plausible(value, name, doubts)
  const ins = told(report?.input_tokens ?? report?.prompt_tokens, 'input_tokens') ?? 0
  const outs = told(report?.output_tokens ?? report?.completion_tokens, 'output_tokens') ?? 0
  if (!ins && !outs) return undefined
  const of = detailsIn(report, 'input')
  const by = detailsIn(report, 'output')

  const input = share(ins, 'input', doubts)
  const cached = isObject(of.cached_tokens_details) ? of.cached_tokens_details : {}
  const fresh = (kind: string) => (told(of[kind], kind) ?? 0) - (told(cached[kind], kind) ?? 0)
  const usage = usageOf({
    cache_read: input.take(told(of.cached_tokens, 'cached_tokens'), 'cached_tokens'),
    input_audio: input.take(Math.max(0, fresh('audio_tokens')), 'audio_tokens'),
    input_image: input.take(Math.max(0, fresh('image_tokens')), 'image_tokens'),
    input: input.rest(),
  })
  const output = share(outs, 'output', doubts)
  usage.output_audio = output.take(told(by.audio_tokens, 'audio_tokens'), 'audio_tokens')
  usage.output_image = output.take(told(by.image_tokens, 'image_tokens'), 'image_tokens')
  usage.reasoning = Math.min(told(by.reasoning_tokens, 'reasoning_tokens') ?? 0, outs)
  // A report that names no kind is about the one kind that this format makes.
  const rest: Output = isAbsentAll(by) ? made : 'output'
  usage[rest] += output.rest()
  return { usage, doubts }
}

/** Both spellings are in use. */
function detailsIn(report: Json | undefined, side: 'input' | 'output'): Json {
  const details = report?.[`${side}_tokens_details`] ?? report?.[`${side}_token_details`]
  return isObject(details) ? details : {}
}

const isAbsentAll = (details: Json) => Object.values(details).every(value => typeof value !== 'number')
