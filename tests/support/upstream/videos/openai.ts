/** Videos in OpenAI's form. https://platform.openai.com/docs/api-reference/videos (read 2026-11) */
import { bearerFlaw, fieldFlaw, film, thumbnail, type VideoWire } from './server.ts'

const words = { queued: 'queued', running: 'in_progress', done: 'completed', failed: 'failed' }

export const openAiWire = (type: number, model = 'sora-2'): VideoWire => ({
  channel: { type, key: 'sk-videos' },
  model,
  request: { seconds: '8', size: '1280x720' },
  seconds: 8,
  secondsIn: ({ seconds = 12 }) => Number(seconds),
  authFlaw: bearerFlaw('sk-videos'),
  submits: /^POST \/v1\/videos(?:\/[\w-]+\/remix)?$/,
  submitFlaw({ target, body }) {
    if (target.endsWith('/remix')) return fieldFlaw(body, ['prompt'], [])
    return fieldFlaw(body, ['model', 'prompt', 'seconds', 'size'], ['input_reference'])
  },
  accepted: id => ({ id, object: 'video', status: 'queued', progress: 0, model }),
  refused: { status: 400, body: { error: { message: 'the prompt is refused', code: 'moderation_blocked' } } },
  asksFor: ({ method, target }) => (method === 'GET' ? /^\/v1\/videos\/([\w-]+)$/.exec(target)?.[1] : undefined),
  told: ({ id, status, percent, seconds, reason, url, request }) => ({
    ...{ id, object: 'video', model, status: words[status], progress: percent, size: request.size },
    ...{ seconds: String(seconds), error: reason ? { code: 'blocked', message: reason } : null },
    ...(url && { metadata: { url } }),
  }),
  unknown: { status: 404, body: { error: { message: 'no such video', code: 'not_found' } } },
  async beside(call, answer) {
    const path = `${call.method} ${call.target}`
    if (/^GET \/v1\/videos\/[\w-]+\/content$/.test(path)) await film(call, answer)
    else if (/^GET \/v1\/videos\/[\w-]+\/content\?variant=thumbnail$/.test(path)) await thumbnail(answer)
    else if (/^DELETE \/v1\/videos\/[\w-]+$/.test(path)) await answer.json({ deleted: true, object: 'video.deleted' })
    else return false
    return true
  },
})
