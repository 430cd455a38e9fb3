/** OpenAI's realtime sessions: events both ways over one socket, paid turn by turn. */
import { usageOf } from '../canonical/chat.ts'
import type { ClientFormat, UpstreamFormat } from '../format.ts'
import { modelFlaw, modelIn } from '../json/checks.ts'
import { readError, writeError } from '../openai-chat/error.ts'

export { SessionMeter } from './meter.ts'

export const openAiRealtime: ClientFormat & UpstreamFormat = {
  readFacts: body =>
    modelFlaw(body) ?? { model: modelIn(body), stream: true, max_output: undefined, choices: 1, wants_usage: true },
  promptTokens: () => 0,
  promptText: () => '',
  forward: (body, { model }) => ({ ...body, model }),
  // A session is metered by its own meter, as it goes.
  readResponse: () => undefined,
  readStream() {
    throw new Error('a session is no stream')
  },
  meter: () => ({ usage: usageOf(), by: 'gateway', doubts: [] }),
  readError,
  writeErrorFrame: trouble => JSON.stringify({ type: 'error', ...writeError(trouble) }),
}
