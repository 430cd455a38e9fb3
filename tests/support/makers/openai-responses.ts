/** OpenAI's Responses as its server checks and writes them. https://platform.openai.com/docs/api-reference/responses (read 2026-11) */

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
  type Signatures,
  textOf,
} from './conversation.ts'
import { isReasoning, refuseSampling, refuseToolNames } from './openai-models.ts'

const known = [
  ...[
    'model',
    'input',
    'instructions',
    'stream',
    'stream_options',
    'max_output_tokens',
    'temperature',
    'top_p',
    'text',
  ],
  ...['store', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'user', 'include', 'prompt_cache_key'],
  ...['prompt_cache_retention', 'safety_identifier', 'service_tier', 'metadata', 'truncation', 'max_tool_calls'],
  ...['previous_response_id', 'background', 'client_metadata', 'context_management', 'top_logprobs', 'prompt'],
]
/** Encrypted content is bound to no field of its item: clients send it back without the id. */
const THOUGHT = 'thought'
const includeThoughts = 'reasoning.encrypted_content'

/** Ids of thoughts in responses that are kept, which is so unless `store` is false. */
const keptThoughts = new Set<string>()
const keeps = new WeakSet<Conversation>()

/** Whether the caller takes encrypted thoughts, kept beside the conversation that it belongs to. */
const takesThoughts = new WeakSet<Conversation>()

export function read(
  { headers }: { headers: Record<string, string> },
  body: Json,
  signatures: Signatures,
): Conversation {
  refuseUnless(headers.authorization === 'Bearer sk-upstream', 'Incorrect API key provided')
  refuseUnknown(body, known, 'Unknown parameter: ')
  refuseUnless(body.input?.length, "Missing required parameter: 'input'.")
  refuseSampling(body)
  const tools = listOf(body.tools).flatMap(tool => (tool.type === 'namespace' ? listOf(tool.tools) : [tool]))
  const functions = tools.filter(({ type }) => type === 'function' || type === 'custom')
  refuseToolNames(functions)
  const conversation: Conversation = {
    model: body.model,
    prompt: `${body.instructions ?? ''}\n`,
    tools: functions.map(({ name, parameters }) => ({ name, properties: Object.keys(parameters?.properties ?? {}) })),
    rounds: [],
    streamed: body.stream === true,
    thinks: isReasoning(body.model),
    json: body.text?.format !== undefined && body.text.format.type !== 'text',
  }
  if (body.store !== false) keeps.add(conversation)
  if ((body.include as string[] | undefined)?.includes(includeThoughts)) takesThoughts.add(conversation)
  const { input } = body
  readItems(listOf(typeof input === 'string' ? [{ role: 'user', content: input }] : input), conversation, signatures)
  return conversation
}

function readItems(items: Json[], conversation: Conversation, signatures: Signatures) {
  let thought: Json | undefined
  let open: Round | undefined
  for (const item of items) {
    const kind = item.type ?? 'message'
    if (kind === 'reasoning') {
      checkThought(item, signatures)
      thought = item
      continue
    }
    if (kind === 'function_call' || kind === 'custom_tool_call') {
      // Calls after results begin a round; calls beside each other share one, and so do those after their text.
      if (!open || open.results.size) {
        open = { calls: [], results: new Map(), thought: thought ? 'signed' : 'missing' }
        conversation.rounds.push(open)
      }
      const args = kind === 'function_call' ? parsedArguments(item.arguments) : { input: item.input }
      open.calls.push({ id: item.call_id, name: item.name, args })
      thought = undefined
      continue
    }
    if (kind === 'function_call_output' || kind === 'custom_tool_call_output') {
      const round = conversation.rounds.findLast(({ calls }) => calls.some(({ id }) => id === item.call_id))
      if (!round) throw new Refused(`No tool call found for function call output with call_id ${item.call_id}.`)
      round.results.set(item.call_id, textOf(item.output))
      continue
    }
    if (kind !== 'message') continue
    refuseUnless(['user', 'assistant', 'system', 'developer'].includes(item.role), `Invalid value: '${item.role}'.`)
    refuseUnless(
      !thought || item.role === 'assistant',
      `Item '${thought?.id}' of type 'reasoning' was provided without its required following item.`,
    )
    if (item.role !== 'assistant') conversation.prompt += `${textOf(item.content)}\n`
  }
  for (const { calls, results } of conversation.rounds)
    for (const { id } of calls) refuseUnless(results.has(id), `No tool output found for function call ${id}.`)
}

function checkThought({ id, encrypted_content }: Json, signatures: Signatures) {
  const missing = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`
  if (encrypted_content === undefined) return refuseUnless(keptThoughts.has(id), missing)
  signatures.check(encrypted_content, THOUGHT, 'The encrypted content could not be verified.')
}

const usageOf = ({ prompt, cached, output }: ReportedTokens): Json => ({
  input_tokens: prompt,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 20 },
  total_tokens: prompt + output,
})

const newId = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`

function itemsOf({ thinking, text, calls }: Reply, of: Conversation, signatures: Signatures): Json[] {
  const id = newId('rs')
  if (keeps.has(of)) keptThoughts.add(id)
  const encrypted = takesThoughts.has(of) ? { encrypted_content: signatures.sign(THOUGHT) } : {}
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
  return [
    ...(of.thinks && thinking
      ? [{ id, type: 'reasoning', summary: [{ type: 'summary_text', text: thinking }], ...encrypted }]
      : []),
    ...(text ? [{ id: newId('msg'), type: 'message', status: 'completed', role: 'assistant', content }] : []),
    ...calls.map(call => ({
      ...{ id: newId('fc'), type: 'function_call', status: 'completed' },
      ...{ call_id: call.id, name: call.name, arguments: JSON.stringify(call.args) },
    })),
  ]
}

const responseOf = (of: Conversation, status: string, output: Json[], more: Json): Json => ({
  id: newId('resp'),
  object: 'response',
  created_at: 1_790_000_000,
  model: of.model,
  status,
  error: null,
  incomplete_details: null,
  output,
  parallel_tool_calls: true,
  usage: null,
  ...more,
})

export const whole = (reply: Reply, of: Conversation, tokens: ReportedTokens, signatures: Signatures): Json =>
  responseOf(of, 'completed', itemsOf(reply, of, signatures), { usage: usageOf(tokens) })

export function frames(reply: Reply, of: Conversation, tokens: ReportedTokens, signatures: Signatures): string[] {
  const begun = responseOf(of, 'in_progress', [], {})
  const output = itemsOf(reply, of, signatures)
  return numbered([
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...output.flatMap(itemEvents),
    { type: 'response.completed', response: { ...begun, status: 'completed', output, usage: usageOf(tokens) } },
  ])
}

export function failureFrames(code: string, message: string): string[] {
  const begun = {
    id: newId('resp'),
    object: 'response',
    created_at: 1_790_000_000,
    model: 'gpt-5.1',
    output: [],
    usage: null,
  }
  return numbered([
    { type: 'response.created', response: { ...begun, status: 'in_progress', error: null } },
    { type: 'response.in_progress', response: { ...begun, status: 'in_progress', error: null } },
    { type: 'response.failed', response: { ...begun, status: 'failed', error: { code, message } } },
  ])
}

const numbered = (events: Json[]) =>
  events.map(
    (event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  )

function itemEvents(item: Json, output_index: number): Json[] {
  const at = { item_id: item.id, output_index }
  const added = (begun: Json) => ({ type: 'response.output_item.added', output_index, item: { ...item, ...begun } })
  const done = { type: 'response.output_item.done', output_index, item }
  if (item.type === 'message') {
    const [part] = item.content
    const where = { ...at, content_index: 0 }
    const texts = part.text.match(/.{1,5}/gs) as string[]
    return [
      added({ status: 'in_progress', content: [] }),
      { type: 'response.content_part.added', ...where, part: { ...part, text: '' } },
      ...texts.map(delta => ({ type: 'response.output_text.delta', ...where, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...where, text: part.text, logprobs: [] },
      { type: 'response.content_part.done', ...where, part },
      done,
    ]
  }
  if (item.type === 'function_call') {
    const halves = [item.arguments.slice(0, 8), item.arguments.slice(8)]
    return [
      added({ status: 'in_progress', arguments: '' }),
      ...halves.map(delta => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments },
      done,
    ]
  }
  const [part] = item.summary
  const where = { ...at, summary_index: 0 }
  return [
    added({ summary: [] }),
    { type: 'response.reasoning_summary_part.added', ...where, part: { ...part, text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...where, delta: part.text },
    { type: 'response.reasoning_summary_text.done', ...where, text: part.text },
    { type: 'response.reasoning_summary_part.done', ...where, part },
    done,
  ]
}
