/** The object that frames an answer: what was asked for stands in it again, but nothing is remembered here. */

import type { Json } from '../../pure/json.ts'
import type { Finish, Usage } from '../canonical/chat.ts'
import { responseId } from '../canonical/ids.ts'
import type { ResponseLabel } from '../format.ts'
import { objectOf } from '../json/lenient-json.ts'
import { writeUsage } from './usage.ts'
import { writeTerms } from './write-request.ts'

export type Head = ReturnType<typeof writeHead>

export function writeHead(id: string, created: number | undefined, label: ResponseLabel) {
  const asked = writeTerms(label.request)
  return {
    id: responseId('resp_', id, label),
    object: 'response',
    created_at: created ?? label.created,
    model: label.request.model,
    background: false,
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    metadata: asked.metadata ?? {},
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...objectOf(asked.reasoning) },
    store: false,
    temperature: asked.temperature ?? 1,
    text: asked.text ?? { format: { type: 'text' } },
    tool_choice: asked.tool_choice ?? 'auto',
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? 1,
    truncation: asked.truncation ?? 'disabled',
    user: asked.user ?? null,
  }
}

export const begun = (head: Head): Json => ({
  ...head,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
})

export const completed = (head: Head, finish: Finish, output: Json[], usage: Usage | undefined): Json => ({
  ...head,
  ...writeFinish(finish),
  output,
  usage: usage ? writeUsage(usage) : null,
})

function writeFinish({ reason }: Finish): Json {
  switch (reason) {
    case 'stop':
    case 'stop_sequence':
    case 'tool_calls':
    case 'pause':
      return { status: 'completed', error: null, incomplete_details: null }
    case 'length':
    case 'context_full':
      return { status: 'incomplete', error: null, incomplete_details: { reason: 'max_output_tokens' } }
    case 'filter':
    case 'refusal':
      return { status: 'incomplete', error: null, incomplete_details: { reason: 'content_filter' } }
    case 'broken_call': {
      const error = { code: 'server_error', message: 'The model has written a tool call that cannot be read.' }
      return { status: 'failed', error, incomplete_details: null }
    }
  }
}
