import { usageOf } from '../canonical.ts'
import type { Counted, Json, Metered } from '../codec.ts'

/** No model reads or writes more in one call; a larger figure is a mistake. */
const BELIEVABLE_MAX = 10_000_000

/**
 * A report is believed as far as it makes sense, and what does not is counted here instead. Its counts overlap (cached
 * and audio tokens are part of the prompt); the buckets do not.
 */
export function meter(report: Json | undefined, counted: Counted): Metered {
  const doubts: string[] = []
  const told = (value: unknown, name: string) => believed(value, name, doubts)
  const prompt = told(report?.prompt_tokens, 'prompt_tokens')
  const completion = told(report?.completion_tokens, 'completion_tokens')
  if (!prompt && !completion) return { usage: countedUsage(counted), by: 'gateway', doubts }

  const ins = (report?.prompt_tokens_details ?? {}) as Json
  const outs = (report?.completion_tokens_details ?? {}) as Json
  const input = share(prompt || counted.prompt, 'prompt', doubts)
  const output = share(completion || counted.output, 'completion', doubts)
  const cached = ins.cached_tokens ?? report?.prompt_cache_hit_tokens ?? report?.cached_tokens
  const usage = usageOf({
    cache_read: input.take(told(cached, 'cached_tokens'), 'cached_tokens'),
    cache_write_5m: input.take(told(ins.cache_write_tokens, 'cache_write_tokens'), 'cache_write_tokens'),
    input_audio: input.take(told(ins.audio_tokens, 'audio_tokens'), 'audio_tokens'),
    input_image: input.take(told(ins.image_tokens, 'image_tokens'), 'image_tokens'),
    output_audio: output.take(told(outs.audio_tokens, 'audio_tokens'), 'audio_tokens'),
    reasoning: Math.min(told(outs.reasoning_tokens, 'reasoning_tokens') ?? 0, completion ?? 0),
  })
  usage.input = input.rest()
  usage.output = output.rest()
  return { usage, by: 'upstream', doubts }
}

/** Nothing reported and nothing produced is the one case that is free. */
const countedUsage = ({ prompt, output }: Counted) => usageOf(output ? { input: prompt, output } : {})

function believed(value: unknown, name: string, doubts: string[]): number | undefined {
  if (value === undefined || value === null) return undefined
  const count = Math.round(Number(value))
  if (count === value) return count >= 0 && count <= BELIEVABLE_MAX ? count : doubt(`${name} is ${value}`, doubts)
  doubt(`${name} is ${JSON.stringify(value)?.slice(0, 40)}`, doubts)
  return count >= 0 && count <= BELIEVABLE_MAX ? count : undefined
}

function doubt(what: string, doubts: string[]): undefined {
  doubts.push(what)
}

/** Parts are taken from a total until it is used up. */
function share(total: number, name: string, doubts: string[]) {
  let left = total
  return {
    take(part: number | undefined, partName: string): number {
      const taken = Math.min(part ?? 0, left)
      if (taken < (part ?? 0)) doubt(`${partName} above ${name}`, doubts)
      left -= taken
      return taken
    },
    rest: () => left,
  }
}
