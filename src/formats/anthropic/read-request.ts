/** Reads the body of POST /v1/messages into a ChatRequest. https://docs.anthropic.com/en/api/messages (read 2026-11) */
import { type Effort, efforts } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import type { CacheMark, ChatRequest, OutputFormat, Reasoning, TextPart, ToolChoice } from '../canonical/chat.ts'
import { conversationIn } from '../canonical/conversation.ts'
import type { ChatClientFormat } from '../format.ts'
import type { Flaw } from '../json/checks.ts'
import { type Field, reading } from '../json/strict-json.ts'
import { readCacheMark, readMessages } from './read-messages.ts'
import { readTools } from './read-tools.ts'

export const readRequest: ChatClientFormat['readRequest'] = (body): ChatRequest | Flaw => reading(body, request)

const knownFields = [
  ...['model', 'max_tokens', 'messages', 'system', 'stop_sequences', 'stream', 'temperature', 'top_p', 'top_k'],
  ...['tools', 'tool_choice', 'thinking', 'metadata', 'output_config'],
]

function request(body: Field): ChatRequest {
  const extra = { ...body.without(knownFields), ...readOwnConfig(body) }
  return {
    model: body.at('model').model(),
    stream: body.find('stream')?.flag() ?? false,
    wants_usage: true,
    system: readSystem(body.find('system')),
    messages: readMessages(body.at('messages').list()),
    tools: readTools(body),
    tool_choice: readToolChoice(body.find('tool_choice')),
    parallel_tools: readParallel(body.at('tool_choice').find('disable_parallel_tool_use')),
    max_output: body.at('max_tokens').whole(),
    sampling: {
      temperature: body.find('temperature')?.number(),
      top_p: body.find('top_p')?.number(),
      top_k: body.find('top_k')?.number(),
    },
    stop:
      body
        .find('stop_sequences')
        ?.list()
        .map(stop => stop.text()) ?? [],
    reasoning: readReasoning(body),
    output: readOutput(body.at('output_config').find('format')),
    user: body.at('metadata').find('user_id')?.text(),
    conversation: conversationIn(body.at('metadata')),
    extra: Object.keys(extra).length ? { anthropic: extra } : {},
  }
}

function readSystem(system: Field | undefined): TextPart[] {
  if (!system) return []
  if (typeof system.value === 'string') return system.value ? readInstructions(system.value) : []
  return system.list().flatMap(block => readInstructions(block.at('text').text(), readCacheMark(block)))
}

/**
 * Claude Code's first line is meant for Anthropic's accounts. It changes with each request, so that no other prompt
 * would begin with what is cached. https://github.com/anthropics/claude-code/issues/68900 (read 2026-11)
 */
const accountLine = /^x-anthropic-billing-header:[^\n]*\n?/

function readInstructions(text: string, cache?: CacheMark): TextPart[] {
  const [line] = accountLine.exec(text) ?? []
  if (line === undefined) return [{ kind: 'text', text, cache }]
  const rest = text.slice(line.length)
  const own: TextPart = { kind: 'text', text: line, only_for: 'anthropic', ...(!rest && { cache }) }
  return rest ? [own, { kind: 'text', text: rest, cache }] : [own]
}

function readToolChoice(choice: Field | undefined): ToolChoice | undefined {
  if (!choice) return undefined
  switch (choice.at('type').oneOf(['auto', 'any', 'none', 'tool'])) {
    case 'auto':
      return { kind: 'auto' }
    case 'any':
      return { kind: 'required' }
    case 'none':
      return { kind: 'none' }
    case 'tool':
      return { kind: 'tool', name: choice.at('name').text() }
  }
}

const readParallel = (disabled: Field | undefined): boolean | undefined => disabled && !disabled.flag()

function readReasoning(body: Field): Reasoning | undefined {
  const effort = body.at('output_config').find('effort')?.oneOf<Effort>(efforts)
  const thinking = body.find('thinking')
  if (!thinking) return undefined
  const show = thinking.at('display').value !== 'omitted'
  switch (thinking.at('type').oneOf(['enabled', 'adaptive', 'between_tools', 'disabled'])) {
    case 'enabled':
      return { budget: thinking.at('budget_tokens').whole(), effort, show }
    case 'adaptive':
    case 'between_tools':
      return { adaptive: true, effort, show }
    case 'disabled':
      return { effort: 'none' }
  }
}

/**
 * `output_config.effort` without `thinking` controls the length of the response. No other format has this field, so it
 * stays native.
 */
function readOwnConfig(body: Field): Json {
  const config = body.find('output_config')
  const native = config?.without(body.find('thinking') ? ['format', 'effort'] : ['format']) ?? {}
  return Object.keys(native).length ? { output_config: native } : {}
}

function readOutput(format: Field | undefined): OutputFormat | undefined {
  if (!format) return undefined
  format.at('type').oneOf(['json_schema'])
  return { kind: 'schema', schema: format.at('schema').object() }
}
