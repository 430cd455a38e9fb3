/** OpenAI's two chat APIs behind one server. */
import type { MakerWire } from './maker.ts'
import * as chat from './openai-chat.ts'
import * as responses from './openai-responses.ts'

const isResponses = ({ target }: { target: string }) => target === '/v1/responses'

const failure = (status: number, message: string, code: string | null, param: string | null = null) => ({
  status,
  headers: (status === 429 ? { 'retry-after': '1' } : {}) as Record<string, string>,
  body: { error: { message, type: code === 'rate_limit_exceeded' ? 'tokens' : 'invalid_request_error', param, code } },
})

const overflowMessage = 'Your input exceeds the context window of this model. Please adjust your input and try again.'

const broken = {
  status: 500,
  body: { error: { message: 'The server had an error.', type: 'server_error', param: null, code: null } },
}

export const openAiWire: MakerWire = {
  read: (received, body, signatures) =>
    isResponses(received) ? responses.read(received, body, signatures) : chat.read(received, body),
  whole: (reply, of, tokens, signatures, received) =>
    isResponses(received) ? responses.whole(reply, of, tokens, signatures) : chat.whole(reply, of, tokens),
  frames: (reply, of, tokens, signatures, received) =>
    isResponses(received) ? responses.frames(reply, of, tokens, signatures) : chat.frames(reply, of, tokens),
  refusal: message => failure(400, message, null),
  limited: failure(429, 'Rate limit reached for gpt-5.1 in organization org-1.', 'rate_limit_exceeded'),
  overflow: failure(400, overflowMessage, 'context_length_exceeded', 'input'),
  overflowFrames: received =>
    isResponses(received) ? responses.failureFrames('context_length_exceeded', overflowMessage) : undefined,
  broken,
  brokenFrame: received =>
    isResponses(received)
      ? responses.failureFrames('server_error', broken.body.error.message).at(-1)!
      : `data: ${JSON.stringify(broken.body)}\n\n`,
  beside: ({ method, target, body }) => {
    if (method === 'GET' && target === '/v1/models') return { object: 'list', data: [] }
    if (target === '/v1/responses/input_tokens')
      return { object: 'response.input_tokens', input_tokens: Math.ceil(body.length / 4) }
  },
}
