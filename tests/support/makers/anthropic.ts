/** Anthropic's Messages as its server checks and writes them. https://docs.claude.com/en/api/messages (read 2026-11) */
import { isOf, keepThread, withHistory } from './anthropic-threads.ts'
import {
  type Conversation,
  type Json,
  listOf,
  Refused,
  type Reply,
  type ReportedTokens,
  type ReturnedThought,
  type Round,
  refuseUnknown,
  refuseUnless,
  type Signatures,
  textOf,
} from './conversation.ts'
import type { MakerWire } from './maker.ts'

const known = [
  ...['model', 'messages', 'system', 'max_tokens', 'stream', 'stop_sequences', 'temperature', 'top_p', 'top_k'],
  ...['tools', 'tool_choice', 'thinking', 'metadata', 'output_config', 'context_management', 'cache_control'],
  ...['service_tier', 'container', 'mcp_servers', 'speed', 'inference_geo', 'thread', 'diagnostics', 'betas'],
]
const betaFields = ['context_management', 'container', 'mcp_servers', 'speed', 'thread']
const versions = ['2023-06-01', '2026-10-21']
const toolName = /^[a-zA-Z0-9_-]{1,128}$/
/** Models that think as they see fit and take neither a budget nor sampling. */
const adaptiveOnly = /^claude-(?:opus-(?:4-[78]|[5-9])|sonnet-[5-9]|fable|mythos)/

function read(
  { target, headers }: { target: string; headers: Record<string, string> },
  sent: Json,
  signatures: Signatures,
) {
  refuseUnless(/^\/v1\/messages(?:\?beta=true)?$/.test(target), `no such path: ${target}`)
  refuseUnless(headers['x-api-key'] === 'sk-upstream', 'invalid x-api-key')
  refuseUnless(versions.includes(headers['anthropic-version'] ?? ''), 'anthropic-version: header is required')
  refuseUnknown(sent, known)
  const body = withHistory(sent)
  const beta = betaFields.find(field => body[field] !== undefined && !headers['anthropic-beta'])
  refuseUnless(!beta, `${beta}: Extra inputs are not permitted`)
  checkSettings(body)
  const thinks = ['enabled', 'adaptive'].includes(body.thinking?.type)
  const conversation: Conversation = {
    model: body.model,
    prompt: `${textOf(body.system)}\n`,
    tools: listOf(body.tools).map(({ name, input_schema }) => ({
      name,
      properties: Object.keys(input_schema?.properties ?? {}),
    })),
    rounds: [],
    streamed: body.stream === true,
    thinks,
    json: body.output_config?.format !== undefined,
  }
  readMessages(body, conversation, signatures)
  isOf(conversation, body)
  return conversation
}

function checkSettings(body: Json) {
  refuseUnless(Number.isInteger(body.max_tokens), 'max_tokens: Field required')
  refuseUnless(listOf(body.messages).length, 'messages: at least one message is required')
  refuseUnless(body.messages[0].role === 'user', 'messages: first message must use the "user" role')
  const names = listOf(body.tools).map(tool => tool.name)
  refuseUnless(new Set(names).size === names.length, 'tools: Tool names must be unique.')
  for (const tool of listOf(body.tools)) {
    refuseUnless(toolName.test(tool.name), `tools.name: ${tool.name} should match ${toolName}`)
    refuseUnless(
      tool.type && tool.type !== 'custom' ? true : tool.input_schema?.type === 'object',
      `tools.${tool.name}.input_schema.type: Field required`,
    )
  }
  const marks = JSON.stringify([body.system, body.tools, body.messages]).match(/"cache_control":\{/g)?.length ?? 0
  refuseUnless(marks <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`)
  const budget = body.thinking?.type === 'enabled' ? body.thinking.budget_tokens : undefined
  if (body.thinking?.type === 'enabled') {
    refuseUnless(!adaptiveOnly.test(body.model), '"thinking.type.enabled" is not supported for this model')
    refuseUnless(
      budget >= 1024 && budget < body.max_tokens,
      '`max_tokens` must be greater than `thinking.budget_tokens`',
    )
    refuseUnless(body.temperature === undefined || body.temperature === 1, '`temperature` may only be set to 1')
  }
  if (adaptiveOnly.test(body.model))
    refuseUnless(
      ['temperature', 'top_p', 'top_k'].every(name => body[name] === undefined),
      '`temperature`, `top_p` and `top_k` are not supported for this model',
    )
}

function readMessages(body: Json, conversation: Conversation, signatures: Signatures) {
  const seen = new Set<string>()
  let open: Round | undefined
  for (const [at, { role, content }] of listOf(body.messages).entries()) {
    refuseUnless(
      ['user', 'assistant', 'system'].includes(role),
      `messages.${at}.role: Input should be 'user' or 'assistant'`,
    )
    const blocks: Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
    const isLast = at === body.messages.length - 1
    refuseUnless(
      blocks.length || (isLast && role === 'assistant'),
      `messages.${at}: all messages must have non-empty content`,
    )
    for (const block of blocks)
      refuseUnless(block.type !== 'text' || block.text?.trim(), 'messages: text content blocks must be non-empty')
    if (role === 'system') {
      conversation.prompt += `${textOf(blocks)}\n`
    } else if (role === 'assistant') {
      refuseUnless(
        !open,
        `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`,
      )
      open = readAssistant(blocks, body, seen, signatures)
      if (open) conversation.rounds.push(open)
    } else {
      conversation.prompt += `${textOf(blocks.filter(block => block.type === 'text'))}\n`
      readResults(blocks, open, at)
      open = undefined
    }
  }
  refuseUnless(!open, '`tool_use` ids were found without `tool_result` blocks immediately after')
}

function readAssistant(blocks: Json[], body: Json, seen: Set<string>, signatures: Signatures): Round | undefined {
  let thought: ReturnedThought = 'missing'
  for (const block of blocks) {
    if (block.type !== 'thinking') continue
    signatures.check(block.signature, block.thinking, 'Invalid `signature` in `thinking` block')
    thought = 'signed'
  }
  const calls = blocks.filter(block => block.type === 'tool_use')
  if (!calls.length) return
  for (const { id } of calls) {
    refuseUnless(/^[a-zA-Z0-9_-]+$/.test(id), `tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
    refuseUnless(!seen.has(id), '`tool_use` ids must be unique')
    seen.add(id)
  }
  if (body.thinking?.type === 'enabled')
    refuseUnless(/thinking$/.test(blocks[0]?.type), 'Expected `thinking` or `redacted_thinking`, but found `tool_use`')
  return { calls: calls.map(({ id, name, input }) => ({ id, name, args: input })), results: new Map(), thought }
}

function readResults(blocks: Json[], open: Round | undefined, at: number) {
  const results = blocks.filter(block => block.type === 'tool_result')
  for (const { tool_use_id, content } of results) {
    const call = open?.calls.find(({ id }) => id === tool_use_id)
    if (!call)
      throw new Refused(`messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${tool_use_id}`)
    refuseUnless(!open!.results.has(tool_use_id), 'each tool_use must have a single result')
    open!.results.set(tool_use_id, textOf(content))
  }
  const first = blocks.findIndex(block => block.type === 'tool_result')
  refuseUnless(
    !open || (first === 0 && results.length === open.calls.length),
    '`tool_use` ids were found without `tool_result` blocks',
  )
}

function usageOf({ prompt, cached, output }: ReportedTokens): Json {
  const created = 100
  return {
    input_tokens: prompt - cached - created,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: created, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: 'standard',
  }
}

function blocksOf(reply: Reply, { thinks }: Conversation, signatures: Signatures): Json[] {
  const { thinking, text, calls } = reply
  return [
    ...(thinks && thinking ? [{ type: 'thinking', thinking, signature: signatures.sign(thinking) }] : []),
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id: id.replace('call_', 'toolu_'), name, input: args })),
  ]
}

function messageOf(content: Json[], { model }: Conversation, stop_reason: string | null, usage: Json): Json {
  const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`
  return { id, type: 'message', role: 'assistant', model, content, stop_reason, stop_sequence: null, usage }
}

const stopOf = ({ calls }: Reply) => (calls.length ? 'tool_use' : 'end_turn')

const frame = (event: Json) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)].filter(Boolean)

/** Long texts come in many pieces. */
const piecesOf = (text: string) => (text.length < 200 ? halves(text) : text.match(/.{1,5}/gs)!)

function blockEvents(block: Json, index: number): Json[] {
  const begin = (content_block: Json) => ({ type: 'content_block_start', index, content_block })
  const delta = (one: Json) => ({ type: 'content_block_delta', index, delta: one })
  const end = { type: 'content_block_stop', index }
  if (block.type === 'thinking') {
    const thoughts = halves(block.thinking).map(thinking => delta({ type: 'thinking_delta', thinking }))
    const signature = delta({ type: 'signature_delta', signature: block.signature })
    return [begin({ ...block, thinking: '', signature: '' }), ...thoughts, signature, end]
  }
  if (block.type === 'text') {
    const texts = piecesOf(block.text).map(text => delta({ type: 'text_delta', text }))
    return [begin({ ...block, text: '' }), ...texts, end]
  }
  const pieces = ['', ...halves(JSON.stringify(block.input))]
  const inputs = pieces.map(partial_json => delta({ type: 'input_json_delta', partial_json }))
  return [begin({ ...block, input: {} }), ...inputs, end]
}

const failure = (status: number, type: string, message: string) => ({
  status,
  headers: (status === 429 ? { 'retry-after': '1' } : {}) as Record<string, string>,
  body: { type: 'error', error: { type, message }, request_id: 'req_1' },
})

const broken = failure(529, 'overloaded_error', 'Overloaded')

export const anthropicWire: MakerWire = {
  read,
  whole: (reply, of, tokens, signatures) => {
    const message = messageOf(blocksOf(reply, of, signatures), of, stopOf(reply), usageOf(tokens))
    keepThread(of, message.id, message.content)
    return message
  },
  frames: (reply, of, tokens, signatures) => {
    const usage = usageOf(tokens)
    const blocks = blocksOf(reply, of, signatures)
    const message = messageOf([], of, null, { ...usage, output_tokens: 1 })
    keepThread(of, message.id, blocks)
    return [
      { type: 'message_start', message },
      { type: 'ping' },
      ...blocks.flatMap(blockEvents),
      { type: 'message_delta', delta: { stop_reason: stopOf(reply), stop_sequence: null }, usage },
      { type: 'message_stop' },
    ].map(frame)
  },
  refusal: message => failure(400, 'invalid_request_error', message),
  limited: failure(429, 'rate_limit_error', 'This request would exceed the rate limit of your organization.'),
  overflow: failure(400, 'invalid_request_error', 'prompt is too long: 250000 tokens > 200000 maximum'),
  broken,
  brokenFrame: () => frame(broken.body),
  beside: ({ method, target, body }) => {
    if (method === 'GET' && target.startsWith('/v1/models')) return { data: [], has_more: false }
    if (target.startsWith('/v1/messages/count_tokens')) return { input_tokens: Math.ceil(body.length / 4) }
  },
}
