/** Reads and writes `usage`. https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching (read 2026-11) */
import { completionTokens, promptTokens, type Tariffs } from '../../billing/usage.ts'
import type { Json } from '../../pure/json.ts'
import { type Usage, usageOf } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { plausible } from '../json/reported-counts.ts'
import type { AnthropicUsage } from './wire.ts'

/** `input_tokens` excludes cache reads and cache writes. @returns undefined when the upstream reports no tokens */
export function readUsage(report: unknown, doubts: string[]): Usage | undefined {
  if (!isObject(report)) return undefined
  const count = (value: unknown, name: string) => plausible(value, name, doubts) ?? 0
  const tokens = withIterations(tokensIn(report, count), report, count)
  const { output } = tokens
  const usage = usageOf({
    ...tokens,
    reasoning: Math.min(count(objectOf(report.output_tokens_details).thinking_tokens, 'thinking_tokens'), output),
    tools: toolsIn(report, count),
    ...tariffsIn(report),
    ...answeredBy(report),
  })
  return promptTokens(usage) || output ? usage : undefined
}

const counted = ['input', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output'] as const
type Tokens = Record<(typeof counted)[number], number>

const tokensIn = (report: Json, count: CountReader): Tokens => ({
  input: count(report.input_tokens, 'input_tokens'),
  cache_read: count(report.cache_read_input_tokens, 'cache_read_input_tokens'),
  ...writesIn(report, count),
  output: count(report.output_tokens, 'output_tokens'),
})

/**
 * The sums leave out what compactions used. Of a turn that fell back on another model they may tell the last attempt
 * alone; one that was refused before any output is not charged.
 * https://platform.claude.com/docs/en/build-with-claude/compaction and
 * https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback (read 2026-11)
 */
function withIterations(sums: Tokens, { iterations }: Json, count: CountReader): Tokens {
  if (!Array.isArray(iterations)) return sums
  const entries = objectsOf(iterations)
  const totalOf = (parts: Json[]) => parts.map(part => tokensIn(part, count)).reduce(sumOf, none)
  const fell = entries.some(isFallback)
  const attempts = entries.filter(entry => isFallback(entry) || (entry.type === 'message' && entry.output_tokens))
  const most = fell ? merged(sums, totalOf(attempts), Math.max) : sums
  return sumOf(most, totalOf(entries.filter(({ type }) => type === 'compaction')))
}

const isFallback = ({ type }: Json) => type === 'fallback_message'

const none: Tokens = { input: 0, cache_read: 0, cache_write_5m: 0, cache_write_1h: 0, output: 0 }

const merged = (a: Tokens, b: Tokens, merge: (a: number, b: number) => number): Tokens =>
  Object.fromEntries(counted.map(name => [name, merge(a[name], b[name])])) as Tokens

const sumOf = (a: Tokens, b: Tokens) => merged(a, b, (a, b) => a + b)

function answeredBy({ iterations }: Json): Partial<Usage> {
  const model = objectsOf(iterations).findLast(isFallback)?.model
  return typeof model === 'string' ? { answered_by: model } : {}
}

type CountReader = (value: unknown, name: string) => number

/** Servers without `cache_creation` report only the sum; it counts as 5-minute writes. */
function writesIn(report: Json, count: CountReader): Pick<Usage, 'cache_write_5m' | 'cache_write_1h'> {
  const sum = count(report.cache_creation_input_tokens, 'cache_creation_input_tokens')
  const { ephemeral_1h_input_tokens } = objectOf(report.cache_creation)
  const hour = Math.min(count(ephemeral_1h_input_tokens, 'ephemeral_1h_input_tokens'), sum)
  return { cache_write_5m: sum - hour, cache_write_1h: hour }
}

function toolsIn({ server_tool_use }: Json, count: CountReader): Record<string, number> {
  const tools = Object.entries(objectOf(server_tool_use)).map(([key, value]) => [
    key.replace(/_requests$/, ''),
    count(value, key),
  ])
  return Object.fromEntries(tools.filter(([, count]) => count))
}

/** https://docs.anthropic.com/en/build-with-claude/fast-mode (read 2026-11) */
function tariffsIn({ service_tier, speed, inference_geo }: Json): Partial<Usage> {
  const reported = Object.entries({ service_tier, speed, inference_geo }).filter(([, name]) => typeof name === 'string')
  return reported.length ? { tariffs: Object.fromEntries(reported) as Tariffs } : {}
}

/** Google searches count as web searches. */
const writeTools = ({
  web_search = 0,
  google_search = 0,
  web_fetch = 0,
}: Usage['tools']): AnthropicUsage['server_tool_use'] => ({
  web_search_requests: web_search + google_search,
  web_fetch_requests: web_fetch,
})

export function writeUsage(usage: Usage): AnthropicUsage {
  const { cache_write_5m, cache_write_1h, tools } = usage
  return {
    input_tokens: usage.input + usage.input_audio + usage.input_image,
    cache_creation_input_tokens: cache_write_5m + cache_write_1h,
    cache_read_input_tokens: usage.cache_read,
    cache_creation: { ephemeral_5m_input_tokens: cache_write_5m, ephemeral_1h_input_tokens: cache_write_1h },
    output_tokens: completionTokens(usage),
    output_tokens_details: usage.reasoning ? { thinking_tokens: usage.reasoning } : undefined,
    server_tool_use: Object.keys(tools).length ? writeTools(tools) : undefined,
  }
}
