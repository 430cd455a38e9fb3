/** Songs and lyrics by Suno-API: a request is answered with the id of a task. https://github.com/Suno-API/Suno-API (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import { usageOf } from '../canonical/chat.ts'
import type { ClientFormat, PassedUpstream } from '../format.ts'
import { modelIn } from '../json/checks.ts'
import { objectOf } from '../json/lenient-json.ts'
import { readError, writeError } from './api-error.ts'
import type { SunoAnswer } from './wire.ts'

/** Longer ids, and those with other characters, are none. */
const taskId = /^[\w.:-]{1,200}$/

export const suno = {
  name: 'suno',
  readFacts: body => ({
    ...{ model: modelIn(body), stream: false, max_output: 0, choices: 1, wants_usage: false },
    background: { body: ownFields(body), is_streamed: false },
  }),
  promptTokens: () => 0,
  promptText: ({ prompt, gpt_description_prompt }) => String(prompt ?? gpt_description_prompt ?? ''),
  forward: ownFields,
  responseFacts(body) {
    const { code, data } = objectOf<SunoAnswer<unknown>>(body)
    if (code !== 'success' || typeof data !== 'string' || !taskId.test(data)) return undefined
    return { usage_report: undefined, output_estimate: 1, text: '', id: data }
  },
  streamReader() {
    throw new Error('tasks have no streams')
  },
  meter: () => ({ usage: usageOf({ calls: 1 }), by: 'gateway', doubts: [], missing: [] }),
  readError,
  writeError,
  writeErrorFrame: error => JSON.stringify(writeError(error)),
} satisfies ClientFormat & PassedUpstream & { writeError: typeof writeError }

/** The path names the model; the upstream's notice would show its own id of the task. A task is named by continuations alone. */
function ownFields({ model: _, notify_hook: __, task_id, ...body }: Json): Json {
  return body.continue_clip_id ? { ...body, task_id } : body
}
