/**
 * Writes the response object, which repeats the settings of the request. `store` is false: the gateway stores no
 * responses. https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { Finish, Usage } from '../canonical/chat.ts'
import { responseId } from '../canonical/ids.ts'
import type { FailedResponse, ResponseLabel } from '../format.ts'
import { IN_PROGRESS } from './opened-items.ts'
import { writeUsage } from './usage.ts'
import type { ResponsesHead, ResponsesObject, ResponsesState } from './wire.ts'
import { writeSettings } from './write-request.ts'

export function writeHead(id: string, created: number | undefined, label: ResponseLabel): ResponsesHead {
  const settings = writeSettings(label.request)
  return {
    id: responseId('resp_', id, label),
    object: 'response',
    created_at: created ?? label.created,
    model: label.request.model,
    background: false,
    instructions: settings.instructions ?? null,
    max_output_tokens: settings.max_output_tokens ?? null,
    metadata: settings.metadata ?? {},
    parallel_tool_calls: settings.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...settings.reasoning },
    store: false,
    temperature: settings.temperature ?? 1,
    text: settings.text ?? { format: { type: 'text' } },
    tool_choice: settings.tool_choice ?? 'auto',
    tools: settings.tools ?? [],
    top_p: settings.top_p ?? 1,
    truncation: settings.truncation ?? 'disabled',
    user: settings.user ?? null,
  }
}

/** A response that failed before it began, of a request that may be unreadable. */
export const unstartedResponse = ({ id, created, model }: FailedResponse): Json => ({
  ...writeHead('', created, {
    ...{ id, created },
    request: {
      ...{ model, stream: true, wants_usage: true, system: [], messages: [] },
      ...{ tools: [], sampling: {}, stop: [], extra: {} },
    },
  }),
  output: [],
})

export const startedResponse = (head: ResponsesHead): ResponsesObject => ({
  ...head,
  status: IN_PROGRESS,
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
})

export const finishedResponse = (
  head: ResponsesHead,
  finish: Finish,
  output: Json[],
  usage: Usage | undefined,
): ResponsesObject => ({
  ...head,
  ...writeFinish(finish),
  output,
  usage: usage ? writeUsage(usage) : null,
})

function writeFinish({ reason }: Finish): ResponsesState {
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

/** The item that was open when a response failed is incomplete. */
export const outputSoFar = (items: Json[]): Json[] =>
  items.map(item => (item.status === IN_PROGRESS ? { ...item, status: 'incomplete' } : item))
