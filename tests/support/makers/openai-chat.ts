/** OpenAI's Chat Completions as its server checks and writes them. https://platform.openai.com/docs/api-reference/chat (read 2026-11) */

import {
  type Conversation,
  type Json,
  listOf,
  parsedArguments,
  Refused,
  type Reply,
  type ReportedTokens,
  type Round,
  refuseUnknown,
  refuseUnless,
  textOf,
} from './conversation.ts'
import { isReasoning, refuseSampling, refuseToolNames } from './openai-models.ts'

const known = [
  ...['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p'],
  ...['stop', 'tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'reasoning_effort', 'user', 'n'],
  ...['seed', 'metadata', 'store', 'logprobs', 'top_logprobs', 'prompt_cache_key', 'prompt_cache_retention'],
  ...['safety_identifier', 'service_tier', 'verbosity', 'frequency_penalty', 'presence_penalty'],
  ...['web_search_options'],
]
/** https://platform.openai.com/docs/guides/tools-web-search: only these models take `web_search_options` (read 2026-11) */
const searches = /-search-(?:preview|api)/
const CALL_ID_MAX = 40

export function read(received: { target: string; headers: Record<string, string> }, body: Json): Conversation {
  const { target, headers } = received
  refuseUnless(target === '/v1/chat/completions', `Invalid URL (POST ${target})`)
  refuseUnless(headers.authorization === 'Bearer sk-upstream', 'Incorrect API key provided')
  refuseUnknown(body, known, 'Unknown parameter: ')
  refuseUnless(!body.stream_options || body.stream, 'stream_options is only allowed when stream is enabled')
  refuseUnless(
    !body.web_search_options || searches.test(body.model),
    'Web search options not supported with this model.',
  )
  refuseUnless(
    !isReasoning(body.model) || body.max_tokens === undefined,
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  )
  refuseSampling(body)
  const tools = listOf(body.tools).map(tool => {
    refuseUnless(tool.type === 'function' || tool.type === 'custom', `Invalid value: '${tool.type}'.`)
    return tool.function ?? tool.custom
  })
  refuseToolNames(tools)
  const conversation: Conversation = {
    model: body.model,
    prompt: '',
    tools: tools.map(({ name, parameters }) => ({ name, properties: Object.keys(parameters?.properties ?? {}) })),
    rounds: [],
    streamed: body.stream === true,
    thinks: false,
    json: body.response_format !== undefined,
  }
  readMessages(listOf(body.messages), conversation)
  return conversation
}

const unanswered = (ids: string[]) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`

function readMessages(messages: Json[], conversation: Conversation) {
  refuseUnless(messages.length, "Missing required parameter: 'messages'.")
  let open: Round | undefined
  const waiting = () => open?.calls.filter(({ id }) => !open!.results.has(id)).map(({ id }) => id) ?? []
  for (const message of messages) {
    if (message.role === 'tool') {
      const { tool_call_id, content } = message
      if (!open?.calls.some(({ id }) => id === tool_call_id))
        throw new Refused("messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.")
      open.results.set(tool_call_id, textOf(content))
      continue
    }
    refuseUnless(!waiting().length, unanswered(waiting()))
    open = undefined
    if (message.role !== 'assistant') {
      refuseUnless(['user', 'system', 'developer'].includes(message.role), `Invalid value: '${message.role}'.`)
      refuseUnless(
        message.content?.length,
        `Invalid value for 'content': expected a string or a list, got ${message.content}.`,
      )
      conversation.prompt += `${textOf(message.content)}\n`
      continue
    }
    const calls = listOf(message.tool_calls)
    refuseUnless(!message.tool_calls || calls.length, "Invalid 'messages.tool_calls': empty array.")
    refuseUnless(calls.length || message.content, "Invalid value for 'content': expected a string, got null.")
    if (!calls.length) continue
    open = { calls: calls.map(readCall), results: new Map(), thought: 'missing' }
    conversation.rounds.push(open)
  }
  refuseUnless(!waiting().length, unanswered(waiting()))
}

function readCall({ id, type, function: called }: Json) {
  refuseUnless(type === 'function', `Invalid value: '${type}'.`)
  refuseUnless(
    id.length <= CALL_ID_MAX,
    `Invalid 'tool_calls.id': string too long, ${id.length} instead of ${CALL_ID_MAX}.`,
  )
  return { id, name: called.name, args: parsedArguments(called.arguments) }
}

const usageOf = ({ prompt, cached, output }: ReportedTokens): Json => ({
  prompt_tokens: prompt,
  completion_tokens: output,
  total_tokens: prompt + output,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 0 },
})

const callsOf = ({ calls }: Reply) =>
  calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }))

const reasonOf = ({ calls }: Reply) => (calls.length ? 'tool_calls' : 'stop')

const headOf = (object: string, { model }: Conversation) => ({
  id: `chatcmpl-${crypto.randomUUID()}`,
  object,
  created: 1_790_000_000,
  model,
})

export function whole(reply: Reply, of: Conversation, tokens: ReportedTokens): Json {
  const calls = callsOf(reply)
  const message = {
    role: 'assistant',
    content: reply.text || null,
    refusal: null,
    ...(calls.length && { tool_calls: calls }),
  }
  return {
    ...headOf('chat.completion', of),
    choices: [{ index: 0, message, logprobs: null, finish_reason: reasonOf(reply) }],
    usage: usageOf(tokens),
  }
}

export function frames(reply: Reply, of: Conversation, tokens: ReportedTokens): string[] {
  const head = headOf('chat.completion.chunk', of)
  const chunk = (delta: Json, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  })
  const fragment = (index: number, fields: Json) => chunk({ tool_calls: [{ index, ...fields }] })
  const calls = callsOf(reply).flatMap((call, index) => {
    const { name, arguments: text } = call.function
    const begin = fragment(index, { id: call.id, type: 'function', function: { name, arguments: '' } })
    const pieces = [text.slice(0, 8), text.slice(8)].map(piece => fragment(index, { function: { arguments: piece } }))
    return [begin, ...pieces]
  })
  const words = reply.text.match(/.{1,5}/gs) ?? []
  const chunks = [
    chunk({ role: 'assistant', content: calls.length && !words.length ? null : '', refusal: null }),
    ...words.map(content => chunk({ content })),
    ...calls,
    chunk({}, reasonOf(reply)),
    { ...head, choices: [], usage: usageOf(tokens) },
  ]
  return [...chunks.map(one => `data: ${JSON.stringify(one)}\n\n`), 'data: [DONE]\n\n']
}
