/** The usage of a logged call: from the lines of its bill, and from its columns where a price per call has no such lines. */
import { type BillLine, isPartOfOutput } from '../../billing/bill-line.ts'
import { type Bucket, buckets, completionTokens, promptTokens, type Usage, usageOf } from '../../billing/usage.ts'
import type { LogDetails } from '../../contracts/log.ts'
import type { LogRow } from '../logs/index.ts'

export type BilledEntry = Pick<LogRow, 'prompt_tokens' | 'completion_tokens'> & {
  details: LogDetails & { lines: BillLine[] }
}

const TOOL = 'tool:'

export function usageOfEntry({ details, ...tokens }: BilledEntry): Usage {
  const counts = new Map(details.lines.map(line => [line.bucket, line.count]))
  const tools = details.lines.filter(({ bucket }) => bucket.startsWith(TOOL))
  const isByTokens = buckets.some(bucket => counts.has(bucket))
  return {
    ...(isByTokens ? usageOfLines(details) : usageOfColumns(tokens, details)),
    ...(isByTokens && details.ws && { by_tier: usageByTier(details) }),
    tools: Object.fromEntries(tools.map(({ bucket, count }) => [bucket.slice(TOOL.length), count])),
    calls: counts.get('call') ?? details.calls,
  }
}

/** Reasoning tokens with a price of their own are a part of the output that has no other line. */
function usageOfLines({ lines, reasoning_tokens: reasoning = 0 }: BilledEntry['details']): Usage {
  const usage = usageOf({ reasoning })
  for (const line of lines) {
    if (isBucket(line.bucket)) usage[line.bucket] += line.count
    if (line.bucket === 'reasoning' && !isPartOfOutput(line)) usage.output += line.count
  }
  return usage
}

/** A realtime session has the tier of each prompt; the prompts themselves are not in the log. */
function usageByTier({ lines, tier = 0 }: BilledEntry['details']): ReadonlyMap<number, Usage> {
  const parts = Map.groupBy(lines, line => line.tier ?? tier)
  return new Map(
    Array.from(parts, ([from, part]) => [from, usageOfLines({ lines: part, reasoning_tokens: thought(part) })]),
  )
}

const thought = (lines: BillLine[]) => lines.find(({ bucket }) => bucket === 'reasoning')?.count

const isBucket = (bucket: string): bucket is Bucket => (buckets as readonly string[]).includes(bucket)

function usageOfColumns(
  { prompt_tokens, completion_tokens }: Omit<BilledEntry, 'details'>,
  details: LogDetails,
): Usage {
  const {
    cache_tokens: cache_read = 0,
    cache_creation_tokens = 0,
    cache_creation_tokens_1h: cache_write_1h = 0,
  } = details
  const { audio_input: input_audio = 0, audio_output: output_audio = 0, image_input: input_image = 0 } = details
  const cache_write_5m = cache_creation_tokens - cache_write_1h
  const known = usageOf({ cache_read, cache_write_5m, cache_write_1h, input_audio, input_image, output_audio })
  return {
    ...known,
    input: prompt_tokens - promptTokens(known),
    output: completion_tokens - completionTokens(known),
    reasoning: details.reasoning_tokens ?? 0,
  }
}
