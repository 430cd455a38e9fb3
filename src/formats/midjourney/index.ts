/** Drawings by Midjourney Proxy: a request is answered with the id of a task. https://github.com/novicezk/midjourney-proxy (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import { usageOf } from '../canonical/chat.ts'
import type { ClientFormat, PassedUpstream } from '../format.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import { actionIn, modelOf } from './actions.ts'
import { isAccepted, readError, statusOf, writeError } from './api-error.ts'
import type { SubmitAnswer, SubmitKind } from './wire.ts'

/** Longer ids, and those with other characters, are none. */
const taskId = /^[\w.:-]{1,200}$/

/** The path names the kind, and that or the body the model: none for an action that cannot be read. */
export const midjourneyFormat = (kind: SubmitKind) =>
  ({
    name: 'midjourney',
    readFacts(body) {
      const read = actionIn(kind, body)
      const model = 'action' in read ? modelOf(read.action) : ''
      return { model, stream: false, max_output: 0, choices: 1, wants_usage: false }
    },
    promptTokens: () => 0,
    promptText: ({ prompt }) => textOf(prompt),
    forward: ({ model: _, ...body }: Json) => body,
    responseFacts,
    streamReader() {
      throw new Error('tasks have no streams')
    },
    meter: () => ({ usage: usageOf({ calls: 1 }), by: 'gateway', doubts: [], missing: [] }),
    readError,
    writeError,
    statusOf,
    writeErrorFrame: error => JSON.stringify(writeError(error)),
  }) satisfies ClientFormat & PassedUpstream & { writeError: typeof writeError; statusOf: typeof statusOf }

/** The answer to an upload has addresses in place of an id. */
function responseFacts(body: unknown) {
  const { code, result } = objectOf<SubmitAnswer>(body)
  const id = Array.isArray(result) && result.length && result.every(isAddress) ? '' : idOf(result)
  if (!isAccepted(code) || id === undefined) return undefined
  return { usage_report: undefined, output_estimate: 1, text: '', id }
}

const isAddress = (value: unknown) => typeof value === 'string' && /^https?:\/\//i.test(value)

function idOf(result: unknown): string | undefined {
  const id = typeof result === 'number' ? String(result) : textOf(result)
  return taskId.test(id) ? id : undefined
}

export const midjourney = midjourneyFormat('imagine')
