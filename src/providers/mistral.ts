/** Mistral, which refuses unknown fields. https://docs.mistral.ai/api/ (read 2026-11) */
import { createHash } from 'node:crypto'
import { isObject } from '../formats/json/checks.ts'
import { objectsOf, textOf } from '../formats/json/lenient-json.ts'
import type { Json } from '../pure/json.ts'
import {
  each,
  eachChoice,
  eachMessage,
  errorBody,
  only,
  renamed,
  withFinishReasons,
  withMaxTokens,
  withNamedToolOnly,
} from './kit/json-edits.ts'
import { openAiCompatible, standardApis } from './kit/openai-compatible.ts'

export const mistral = openAiCompatible({
  type: 42,
  label: 'Mistral',
  base_url: 'https://api.mistral.ai',
  key_format: '',
  stream_usage: false,
  quirks: { probe: { model: 'ministral-3b-latest' } },
  apis: {
    chat: { rewriteRequest, rewriteResponse, rewriteEvent: rewriteResponse },
    completions: {
      path: '/fim/completions',
      rewriteRequest: writeCompletionRequest,
      rewriteResponse: readCompletion,
      rewriteEvent: readCompletion,
    },
    embeddings: { rewriteRequest: writeEmbeddingRequest },
    ...standardApis('moderations', 'transcriptions'),
  },
  rewriteError,
})

const knownFields = [
  'model',
  'messages',
  'temperature',
  'top_p',
  'max_tokens',
  'stream',
  'stop',
  'random_seed',
  'response_format',
  'tools',
  'tool_choice',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'prediction',
  'parallel_tool_calls',
  'prompt_mode',
  'safe_prompt',
  'reasoning_effort',
]

const withSeed = (body: Json): Json => renamed(body, 'seed', 'random_seed')

function rewriteRequest(body: Json): Json {
  return withNamedToolOnly(withMessages(only(withSeed(withMaxTokens(body)), ...knownFields)), 'any')
}

/** A tool result needs the tool's name beside the id; an assistant message at the end needs `prefix`. */
function withMessages(body: Json): Json {
  const names = new Map<unknown, unknown>()
  const last = objectsOf(body.messages).length - 1
  return each(body, 'messages', (message, index) => {
    for (const { id, function: called } of objectsOf(message.tool_calls))
      if (isObject(called)) names.set(id, called.name)
    const edited = each(each(message, 'tool_calls', withShortId), 'content', withBareUrl)
    if (message.role === 'assistant' && index === last) return { prefix: true, ...edited }
    if (message.role !== 'tool') return edited
    const name = message.name ?? names.get(message.tool_call_id)
    return { ...edited, tool_call_id: shortId(message.tool_call_id), ...(name !== undefined && { name }) }
  })
}

const withShortId = (call: Json): Json => ({ ...call, id: shortId(call.id) })

const SHORT_ID = /^[a-zA-Z0-9]{9}$/

/** Ids of tool calls have nine letters and digits. A digest keeps the id of a call and of its result equal. */
function shortId(id: unknown): string {
  const text = String(id ?? '')
  return SHORT_ID.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, 9)
}

/** Images and documents are URLs without an object around them, data URLs included. */
function withBareUrl(part: Json): Json {
  const { image_url, file } = part
  if (isObject(image_url)) return { ...part, image_url: image_url.url }
  return isObject(file) && file.file_data ? { type: 'document_url', document_url: file.file_data } : part
}

function rewriteResponse(body: Json): Json {
  const isFailed = objectsOf(body.choices).some(({ finish_reason }) => finish_reason === 'error')
  if (isFailed) return errorBody('The model gave up', 'server_error', 'error')
  return withCachedTokens(withFinishReasons(eachMessage(body, withThoughts), { model_length: 'length' }))
}

/** Thoughts are parts of the content. Tool calls have no `index`: it is their place in the list. */
function withThoughts(message: Json): Json {
  const indexed = each(message, 'tool_calls', (call, index) => ('index' in call ? call : { index, ...call }))
  if (!Array.isArray(message.content)) return indexed
  const parts = objectsOf(message.content)
  const thoughts = joined(parts.flatMap(part => objectsOf(part.thinking)))
  return { ...indexed, content: joined(parts), ...(thoughts && { reasoning_content: thoughts }) }
}

const joined = (parts: Json[]): string => parts.map(({ text }) => textOf(text)).join('')

function withCachedTokens(body: Json): Json {
  const { usage } = body
  if (!isObject(usage) || usage.num_cached_tokens === undefined || usage.prompt_tokens_details) return body
  return { ...body, usage: { ...usage, prompt_tokens_details: { cached_tokens: usage.num_cached_tokens } } }
}

/** The error of an invalid request stands inside `message`. */
function rewriteError(body: Json): Json {
  const { message, ...others } = body
  return isObject(message) ? { ...others, ...message } : body
}

/** Fill-in-the-middle: `suffix` is the text after the gap. */
function writeCompletionRequest(body: Json): Json {
  return only(withSeed(withMaxTokens(body)), 'prompt', 'suffix', ...knownFields)
}

/** Fill-in-the-middle responds in the form of a chat. */
function readCompletion(body: Json): Json {
  const completion = eachChoice(rewriteResponse(body), choice => {
    const { message, delta, ...others } = choice
    const content = message ?? delta
    return isObject(content) ? { ...others, text: content.content ?? '' } : choice
  })
  return 'choices' in completion ? { ...completion, object: 'text_completion' } : completion
}

function writeEmbeddingRequest(body: Json): Json {
  const { dimensions } = body
  return {
    ...only(body, 'model', 'input'),
    encoding_format: 'float',
    ...(dimensions !== undefined && { output_dimension: dimensions }),
  }
}
