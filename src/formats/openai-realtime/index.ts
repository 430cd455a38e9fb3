/**
 * OpenAI's realtime sessions: JSON events in both directions over one WebSocket, billed by response.
 * https://platform.openai.com/docs/api-reference/realtime (read 2026-11)
 */
import { type ApiError, usageOf } from '../canonical/chat.ts'
import type { ClientFormat, PassedUpstream } from '../format.ts'
import { modelFlaw, modelIn } from '../json/checks.ts'
import { readError, writeOwnError } from '../openai-chat/api-error.ts'
import { storedPlaces } from '../stored-places.ts'

export { SessionMeter } from './meter.ts'
export type { Turn } from './turn.ts'

/** Items are those of the session itself. */
export const realtimePlaces = ['session', 'response'].flatMap(
  part =>
    [
      { kind: 'prompt', at: `${part}.prompt.id` },
      { kind: 'file', at: `${part}.prompt.variables.*.file_id` },
      { kind: 'voice', at: `${part}.voice.id` },
      { kind: 'voice', at: `${part}.audio.output.voice.id` },
      { kind: 'tunnel', at: `${part}.tools.tunnel_id` },
    ] as const,
)

/** @returns the ids in an event of the client */
export const storedInEvent = storedPlaces(realtimePlaces)

export const openAiRealtime = {
  name: 'openai-realtime',
  readFacts: body =>
    modelFlaw(body) ?? { model: modelIn(body), stream: true, max_output: undefined, choices: 1, wants_usage: true },
  promptTokens: () => 0,
  promptText: () => '',
  forward: (body, { model }) => ({ ...body, model }),
  // SessionMeter meters a session while it runs.
  responseFacts: () => undefined,
  streamReader() {
    throw new Error('a session is no stream')
  },
  meter: () => ({ usage: usageOf(), by: 'gateway', doubts: [], missing: [] }),
  readError,
  writeErrorFrame: (error: ApiError) => JSON.stringify({ type: 'error', ...writeOwnError(error) }),
} satisfies ClientFormat & PassedUpstream
