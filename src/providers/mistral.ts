/** Mistral: it refuses every field that it does not know, and ids of tools that are not like its own. */
import { createHash } from 'node:crypto'
import { isObject } from '../formats/json/checks.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import {
  each,
  eachChoice,
  eachMessage,
  endings,
  failure,
  objectsIn,
  only,
  renamed,
  withOneLimit,
  withOneTool,
} from './json-edits.ts'
import { openAiCompatible, plainly } from './openai.ts'

export const mistral = openAiCompatible({
  type: 42,
  label: 'Mistral',
  base_url: 'https://api.mistral.ai',
  key_format: '',
  models: modelsOf(42),
  stream_usage: false,
  offers: {
    chat: { rewriteRequest, rewriteResponse: rewriteEvent, rewriteEvent },
    completions: { path: '/fim/completions', rewriteRequest: fitGap, rewriteResponse: asText, rewriteEvent: asText },
    embeddings: { rewriteRequest: fitTexts },
    ...plainly('moderations', 'transcriptions'),
  },
  fitError,
})

const known = [
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

function rewriteRequest(body: Json): Json {
  return withOneTool(withMessages(only(renamed(withOneLimit(body), 'seed', 'random_seed'), ...known)), 'any')
}

/** Results of tools want the tool's name beside its id; an answer that is begun for it says so. */
function withMessages(body: Json): Json {
  const names = new Map<unknown, unknown>()
  const last = objectsIn(body.messages).length - 1
  return each(body, 'messages', (message, at) => {
    for (const { id, function: called } of objectsIn(message.tool_calls))
      if (isObject(called)) names.set(id, called.name)
    const fitted = each(each(message, 'tool_calls', withOwnId), 'content', withBareAddress)
    if (message.role === 'assistant' && at === last) return { prefix: true, ...fitted }
    if (message.role !== 'tool') return fitted
    const name = message.name ?? names.get(message.tool_call_id)
    return { ...fitted, tool_call_id: ownId(message.tool_call_id), ...(name !== undefined && { name }) }
  })
}

const withOwnId = (call: Json): Json => ({ ...call, id: ownId(call.id) })

const OWN_ID = /^[a-zA-Z0-9]{9}$/

/** One id always becomes the same: a call and its result must still match. */
function ownId(id: unknown): string {
  const text = String(id ?? '')
  return OWN_ID.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, 9)
}

/** Pictures and documents are plain addresses, those of inline data among them. */
function withBareAddress(part: Json): Json {
  const { image_url, file } = part
  if (isObject(image_url)) return { ...part, image_url: image_url.url }
  return isObject(file) && file.file_data ? { type: 'document_url', document_url: file.file_data } : part
}

function rewriteEvent(event: Json): Json {
  const gaveUp = objectsIn(event.choices).some(({ finish_reason }) => finish_reason === 'error')
  if (gaveUp) return failure('The model gave up', 'server_error', 'error')
  return withCached(endings(eachMessage(event, withThoughts), { model_length: 'length' }))
}

/** Its thoughts are parts of its content; its tool calls have no index but their place in the list. */
function withThoughts(message: Json): Json {
  const fitted = each(message, 'tool_calls', (call, at) => ('index' in call ? call : { index: at, ...call }))
  if (!Array.isArray(message.content)) return fitted
  const parts = objectsIn(message.content)
  const thought = parts
    .flatMap(part => objectsIn(part.thinking))
    .map(textOf)
    .join('')
  return { ...fitted, content: parts.map(textOf).join(''), ...(thought && { reasoning_content: thought }) }
}

const textOf = ({ text }: Json): string => (typeof text === 'string' ? text : '')

function withCached(body: Json): Json {
  const { usage } = body
  if (!isObject(usage) || usage.num_cached_tokens === undefined || usage.prompt_tokens_details) return body
  return { ...body, usage: { ...usage, prompt_tokens_details: { cached_tokens: usage.num_cached_tokens } } }
}

/** What is wrong with a request may stand in a place of its own. */
function fitError(body: Json): Json {
  const { message, ...others } = body
  return isObject(message) ? { ...others, ...message } : body
}

/** Fill-in-the-middle: what stands between a beginning and an end. */
function fitGap(body: Json): Json {
  return only(renamed(withOneLimit(body), 'seed', 'random_seed'), 'prompt', 'suffix', ...known)
}

/** Fill-in-the-middle is answered in the shape of a chat. */
function asText(answer: Json): Json {
  const told = eachChoice(rewriteEvent(answer), choice => {
    const { message, delta, ...others } = choice
    const said = message ?? delta
    return isObject(said) ? { ...others, text: said.content ?? '' } : choice
  })
  return 'choices' in told ? { ...told, object: 'text_completion' } : told
}

function fitTexts(body: Json): Json {
  const { dimensions } = body
  return {
    ...only(body, 'model', 'input'),
    encoding_format: 'float',
    ...(dimensions !== undefined && { output_dimension: dimensions }),
  }
}
