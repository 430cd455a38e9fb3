/**
 * Videos in canonical form, as an upstream's format: a provider writes the maker's body from it, and reads the id. Its
 * fields are those of https://platform.openai.com/docs/api-reference/videos (read 2026-11), and what makers add.
 */
import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import { usageOf } from '../canonical/chat.ts'
import type { ClientFormat, PassedUpstream, RequestFacts, ResponseFacts } from '../format.ts'
import { type Flaw, isObject } from '../json/checks.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import { readError as readPlainError } from '../suno/api-error.ts'
import type { VideoRequest } from './request.ts'

/** Longer ids, and those with other characters, are none; of those with slashes no part leads to another folder. */
const taskId = /^(?!.*\.\.)[\w.:@-]+(?:\/[\w.:@-]+)*$/
const ID_MAX = 300

export const isTaskId = (id: unknown): id is string => typeof id === 'string' && id.length <= ID_MAX && taskId.test(id)

const factsOf = (id: unknown): ResponseFacts | undefined =>
  isTaskId(id) ? { usage_report: undefined, output_estimate: 1, text: '', id } : undefined

/** @param readError of the maker */
export const videos = (readError: PassedUpstream['readError']): PassedUpstream => ({
  name: 'videos',
  forward: (body, { model }) => ({ ...body, model }),
  responseFacts: body => factsOf(objectOf(body).id),
  streamReader() {
    throw new Error('tasks have no streams')
  },
  meter: () => ({ usage: usageOf({ calls: 1 }), by: 'gateway', doubts: [], missing: [] }),
  readError,
})

/** A client's format of videos: its requests are read into the canonical form. */
export interface VideoClientFormat extends ClientFormat {
  writeError(error: ApiError): Json
}

export function videoClient(
  name: string,
  { readRequest, writeError }: { readRequest(body: Json): VideoRequest | Flaw; writeError(error: ApiError): Json },
): VideoClientFormat {
  return {
    name,
    readFacts(body): RequestFacts | Flaw {
      const request = readRequest(body)
      if ('code' in request) return request
      return {
        ...{ model: request.model, stream: false, max_output: 0, choices: 1, wants_usage: false },
        background: { body: { ...request }, is_streamed: false },
      }
    },
    promptTokens: () => 0,
    promptText: ({ prompt, negative_prompt }) => [textOf(prompt), textOf(negative_prompt)].filter(Boolean).join('\n'),
    responses: submitted,
    writeError,
    writeErrorFrame: error => JSON.stringify(writeError(error)),
  }
}

/** What clients are answered in any of the formats: the id of a task, in the answer itself or in its data. */
const submitted: PassedUpstream = {
  ...videos(body => (idIn(body) ? undefined : readPlainError(body))),
  responseFacts: body => factsOf(idIn(body)),
}

function idIn(body: unknown): unknown {
  const { id, task_id, data, error } = objectOf(body)
  return isObject(error) ? undefined : (id ?? task_id ?? objectOf(data).task_id)
}
