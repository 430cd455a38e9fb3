/**
 * Reads the response body of POST /v1/responses into a ChatResponse.
 * https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { ChatResponse, Finish, ResponsePart, ThinkingPart, TokenLogprob } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { plausible } from '../json/reported-counts.ts'
import { readLogprobs } from '../openai-chat/read-response.ts'
import { readAnnotations } from './citations.ts'
import { readUsage } from './usage.ts'

export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || !Array.isArray(body.output)) return undefined
  const doubts: string[] = []
  const items = objectsOf(body.output)
  const usage = readUsage(body.usage, doubts, body.service_tier)
  const parts = items.flatMap(readItem)
  const hasToolCalls = parts.some(({ kind }) => kind === 'tool_call')
  const logprobs = items.flatMap(item => objectsOf(item.content)).flatMap(part => readTokens(part.logprobs))
  return {
    id: textOf(body.id),
    model: textOf(body.model),
    created: numberOf(body.created_at),
    choices: [{ parts, finish: readFinish(body, hasToolCalls), ...(logprobs.length && { logprobs }) }],
    usage: usage && { ...usage, tools: countToolCalls(items, body.usage) },
    doubts,
  }
}

export const readTokens = (logprobs: unknown): TokenLogprob[] => readLogprobs({ content: logprobs }) ?? []

/** Counts the calls of hosted tools, which are billed by call: OpenAI's usage does not report them. */
export function countToolCalls(items: Json[], usage: unknown): Record<string, number> {
  const tools = reportedToolCalls(usage)
  for (const { type } of items) {
    const tool = /^(web_search|x_search|file_search|code_interpreter|image_generation)_call$/.exec(textOf(type))?.[1]
    if (tool) tools[tool] = (tools[tool] ?? 0) + 1
  }
  return tools
}

/** Perplexity reports them. https://docs.perplexity.ai/api-reference/responses-post (read 2026-11) */
function reportedToolCalls(usage: unknown): Record<string, number> {
  const details = Object.entries(objectOf(objectOf(usage).tool_calls_details))
  const counts = details.map(([name, detail]) => {
    const count = plausible(objectOf(detail).invocation ?? numberOf(detail), name, [])
    return [name === 'search_web' ? 'web_search' : name, count] as const
  })
  return Object.fromEntries(counts.filter((entry): entry is [string, number] => Boolean(entry[1])))
}

export function readItem(item: Json): ResponsePart[] {
  switch (item.type) {
    case 'message':
      return objectsOf(item.content).flatMap(readContentPart)
    case 'reasoning':
      return [readReasoning(item)]
    case 'function_call':
      return [
        { kind: 'tool_call', id: textOf(item.call_id), name: textOf(item.name), arguments: textOf(item.arguments) },
      ]
    case 'image_generation_call':
      return [{ kind: 'image', source: { via: 'base64', media_type: mediaTypeOf(item), data: textOf(item.result) } }]
    default:
      return [{ kind: 'native', format: 'openai-responses', value: item }]
  }
}

const mediaTypeOf = ({ output_format }: Json) => `image/${textOf(output_format) || 'png'}`

/** Signatures in a response come from the upstream itself and are never wrapped. */
export function readReasoning(item: Json): ThinkingPart {
  const [value, id] = [textOf(item.encrypted_content), textOf(item.id)]
  return {
    kind: 'thinking',
    text: reasoningText(item),
    ...(value && { signature: { owner: 'openai', value } }),
    ...(id && { id }),
  }
}

/** Reasoning text, or its summary when the item has no text. */
export function reasoningText({ content, summary }: Json): string {
  const texts = objectsOf(content).length ? objectsOf(content) : objectsOf(summary)
  return texts.map(({ text }) => textOf(text)).join('\n\n')
}

export function readContentPart(part: Json): ResponsePart[] {
  if (part.type === 'refusal') return [{ kind: 'refusal', text: textOf(part.refusal) }]
  if (part.type !== 'output_text') return []
  const citations = readAnnotations(part.annotations)
  return [{ kind: 'text', text: textOf(part.text), ...(citations.length && { citations }) }]
}

export function readFinish(response: Json, hasToolCalls: boolean): Finish {
  const { reason } = objectOf(response.incomplete_details)
  if (response.status === 'incomplete') return { reason: reason === 'content_filter' ? 'filter' : 'length' }
  return { reason: hasToolCalls ? 'tool_calls' : 'stop' }
}
