import { tokensIn } from '../../pure/tokens.ts'
import type { Ask, Edit, Flaw, Json } from '../codec.ts'

/** Beyond this no model answers, and sums begin to lose their exactness. */
const MAX_TOKENS_LIMIT = 1_073_741_823
const CHOICES_LIMIT = 128
const MODEL_NAME_LIMIT = 256

/** What is priced is read here, from the very values that are sent on. */
export function readAsk(body: Json): Ask | Flaw {
  const { model, messages, stream, stream_options, n } = body
  const flaw = flawIn(body)
  if (flaw) return flaw
  if (!Array.isArray(messages) || !messages.every(isObject)) return { code: 'relay.messages_wrong', param: 'messages' }
  if (!messages.length) return { code: 'relay.messages_empty', param: 'messages' }
  const limits = [body.max_tokens, body.max_completion_tokens].filter(limit => typeof limit === 'number')
  return {
    model: model as string,
    stream: stream === true,
    max_output: Math.max(0, ...limits) || undefined,
    choices: (n as number | null | undefined) ?? 1,
    wants_usage: (stream_options as Json | null | undefined)?.include_usage === true,
  }
}

function flawIn({ model, stream, stream_options, n, max_tokens, max_completion_tokens }: Json): Flaw | undefined {
  if (model === undefined || model === null || model === '') return { code: 'relay.model_required', param: 'model' }
  if (typeof model !== 'string' || model.length > MODEL_NAME_LIMIT) return wrong('model')
  if (!isAbsent(stream) && typeof stream !== 'boolean') return wrong('stream')
  if (!isAbsent(stream_options) && !isObject(stream_options)) return wrong('stream_options')
  if (!isCount(n, 1, CHOICES_LIMIT)) return outside('n', 1, CHOICES_LIMIT)
  if (!isCount(max_tokens, 0, MAX_TOKENS_LIMIT)) return outside('max_tokens', 0, MAX_TOKENS_LIMIT)
  if (!isCount(max_completion_tokens, 0, MAX_TOKENS_LIMIT)) return outside('max_completion_tokens', 0, MAX_TOKENS_LIMIT)
}

const wrong = (param: string): Flaw => ({ code: 'relay.field_wrong', facts: { field: param }, param })
const outside = (param: string, min: number, max: number): Flaw => ({
  code: 'relay.field_outside',
  facts: { field: param, min, max },
  param,
})

const isAbsent = (value: unknown) => value === undefined || value === null
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown, min: number, max: number) =>
  isAbsent(value) || (Number.isInteger(value) && (value as number) >= min && (value as number) <= max)

/** A copy with the upstream's name for the model; a stream is asked for its usage where the upstream can tell it. */
export function forward(body: Json, { model, stream_usage, system_prompt, replaces_system }: Edit): Json {
  const edited: Json = { ...body, model }
  if (body.stream !== true || !stream_usage) delete edited.stream_options
  else edited.stream_options = { ...(body.stream_options as Json | null), include_usage: true }
  const messages = body.messages as Json[]
  if (system_prompt)
    edited.messages = withSystemPrompt(replaces_system ? messages.filter(isOther) : messages, system_prompt)
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
    : `${prompt}\n\n${own.content ?? ''}`
  return messages.with(at, { ...own, content })
}

const PER_MESSAGE = 3
const AT_THE_END = 3
const PER_TOOL = 8

/** What parts that are not text cost, roughly: most models bill a picture or a document near this. */
const partCosts: Record<string, number> = { image_url: 765, input_audio: 100, file: 5000 }
const LOW_DETAIL = 85

export function promptTokens(body: Json): number {
  let tokens = AT_THE_END
  for (const message of body.messages as Json[]) {
    tokens += PER_MESSAGE + contentTokens(message.content) + textTokens(message.name)
    if (message.tool_calls) tokens += tokensIn(JSON.stringify(message.tool_calls))
  }
  if (Array.isArray(body.tools))
    for (const tool of body.tools) tokens += PER_TOOL + tokensIn(JSON.stringify(tool) ?? '')
  return tokens
}

const textTokens = (value: unknown) => (typeof value === 'string' ? tokensIn(value) : 0)

function contentTokens(content: unknown): number {
  if (!Array.isArray(content)) return textTokens(content)
  return content.reduce((sum: number, part) => sum + (isObject(part) ? partTokens(part) : textTokens(part)), 0)
}

function partTokens(part: Json): number {
  if (typeof part.text === 'string') return tokensIn(part.text)
  if (isObject(part.image_url) && part.image_url.detail === 'low') return LOW_DETAIL
  return partCosts[String(part.type)] ?? tokensIn(JSON.stringify(part))
}

export function promptText(body: Json): string {
  return (body.messages as Json[]).map(({ role, content }) => `${role}: ${textOf(content)}`).join('\n')
}

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content
        .map(part => (isObject(part) && typeof part.text === 'string' ? part.text : `[${(part as Json | null)?.type}]`))
        .join(' ')
    : String(content ?? '')
