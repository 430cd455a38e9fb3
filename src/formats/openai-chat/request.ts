import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import type { ForwardOptions, RequestFacts } from '../format.ts'
import {
  CHOICES_LIMIT,
  countFlaw,
  countIn,
  type Flaw,
  firstOf,
  flagFlaw,
  isAbsent,
  isObject,
  modelFlaw,
  modelIn,
  TOKENS_LIMIT,
  wrong,
} from '../json/checks.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'

/** What is priced is read here, from the very values that are sent on. */
export function readFacts(body: Json): RequestFacts | Flaw {
  const { messages, stream_options } = body
  const flaw = flawIn(body)
  if (flaw) return flaw
  if (!Array.isArray(messages) || !messages.every(isObject)) return { code: 'relay.messages_wrong', param: 'messages' }
  if (!messages.length) return { code: 'relay.messages_empty', param: 'messages' }
  const limits = [body.max_tokens, body.max_completion_tokens].filter(limit => typeof limit === 'number')
  return {
    model: modelIn(body),
    stream: body.stream === true,
    max_output: Math.max(0, ...limits) || undefined,
    choices: countIn(body, 'n') ?? 1,
    wants_usage: (stream_options as Json | null | undefined)?.include_usage === true,
  }
}

const flawIn = (body: Json): Flaw | undefined =>
  firstOf(
    modelFlaw(body),
    flagFlaw(body, 'stream'),
    isAbsent(body.stream_options) || isObject(body.stream_options) ? undefined : wrong('stream_options'),
    countFlaw(body, 'n', 1, CHOICES_LIMIT),
    countFlaw(body, 'max_tokens', 0, TOKENS_LIMIT),
    countFlaw(body, 'max_completion_tokens', 0, TOKENS_LIMIT),
  )

/** A copy with the upstream's name for the model; a stream is asked for its usage where the upstream can tell it. */
export function forward(body: Json, { model, stream_usage, system_prompt, replace_system }: ForwardOptions): Json {
  const edited: Json = { ...body, model }
  if (body.stream !== true || !stream_usage) delete edited.stream_options
  else edited.stream_options = { ...(body.stream_options as Json | null), include_usage: true }
  const messages = body.messages as Json[]
  if (system_prompt)
    edited.messages = withSystemPrompt(replace_system ? messages.filter(isOther) : messages, system_prompt)
  return edited
}

const isSystem = ({ role }: Json) => role === 'system' || role === 'developer'
const isOther = (message: Json) => !isSystem(message)

function withSystemPrompt(messages: Json[], prompt: string): Json[] {
  const at = messages.findIndex(isSystem)
  if (at < 0) return [{ role: 'system', content: prompt }, ...messages]
  const own = messages[at]!
  const content = Array.isArray(own.content)
    ? [{ type: 'text', text: prompt }, ...own.content]
    : `${prompt}\n\n${textOf(own.content)}`
  return messages.with(at, { ...own, content })
}

const PER_MESSAGE = 3
const AT_THE_END = 3
const PER_TOOL = 8

/** What parts that are not text cost, roughly: most models bill a picture or a document near this. */
const partCosts = new Map<unknown, number>(Object.entries({ image_url: 765, input_audio: 100, file: 5000 }))
const LOW_DETAIL = 85

export function promptTokens(body: Json): number {
  let tokens = AT_THE_END
  for (const message of body.messages as Json[]) {
    tokens += PER_MESSAGE + contentTokens(message.content) + textTokens(message.name)
    if (message.tool_calls) tokens += estimateTokens(JSON.stringify(message.tool_calls))
  }
  if (Array.isArray(body.tools))
    for (const tool of body.tools) tokens += PER_TOOL + estimateTokens(JSON.stringify(tool) ?? '')
  return tokens
}

const textTokens = (value: unknown) => (typeof value === 'string' ? estimateTokens(value) : 0)

function contentTokens(content: unknown): number {
  if (!Array.isArray(content)) return textTokens(content)
  return content.reduce((sum: number, part) => sum + (isObject(part) ? partTokens(part) : textTokens(part)), 0)
}

function partTokens(part: Json): number {
  if (typeof part.text === 'string') return estimateTokens(part.text)
  if (isObject(part.image_url) && part.image_url.detail === 'low') return LOW_DETAIL
  return partCosts.get(part.type) ?? estimateTokens(JSON.stringify(part))
}

export function promptText(body: Json): string {
  return (body.messages as Json[]).map(({ role, content }) => `${textOf(role)}: ${wordsOf(content)}`).join('\n')
}

const wordsOf = (content: unknown): string =>
  Array.isArray(content)
    ? content
        .map(part => (isObject(part) && typeof part.text === 'string' ? part.text : `[${textOf(objectOf(part).type)}]`))
        .join(' ')
    : textOf(content)
