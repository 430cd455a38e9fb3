/** Videos of Kling and Vidu at Qianfan. https://cloud.baidu.com/doc/qianfan-api/s/Emwbl4e6q (read 2026-11) */
import { bearerFlaw, fieldFlaw, type VideoWire } from './server.ts'
import { errorOf, gets } from './words.ts'

const shared = {
  channel: { type: 46, key: 'bce-v3/ALTAK-1/2' },
  authFlaw: bearerFlaw('bce-v3/ALTAK-1/2'),
  submits: /^POST \/beta\/video\/generations\/qianfan-video$/,
  asksFor: gets(/^\/beta\/video\/generations\/qianfan-video\?task_id=([\w-]+)$/),
} as const

export const qianfanVidu: VideoWire = {
  ...shared,
  model: 'VQ3-Turbo',
  request: { seconds: 10, resolution: '1080p', aspect_ratio: '9:16', seed: 4, sound: false },
  seconds: 10,
  submitFlaw: ({ body }) =>
    fieldFlaw(body, ['model', 'type', 'model_parameters'], []) ??
    fieldFlaw(body.model_parameters, ['prompt', 'duration', 'resolution', 'audio'], ['aspect_ratio', 'seed', 'images']),
  accepted: task_id => ({ log_id: 'as-1', task_id }),
  refused: errorOf('the prompt is refused'),
  told: ({ id, status, url, seconds, reason }) => ({
    ...{ log_id: 'as-2', id, err_code: reason },
    status: { queued: 'queueing', running: 'processing', done: 'success', failed: 'failed' }[status],
    ...(status === 'done' && {
      creations: url ? [{ id: 'c', url, cover_url: url.replace('.mp4', '.png') }] : [],
      usage: { model: 'VQ3-Turbo', duration: String(seconds), resolution: '1080p', credits: 0.3 },
    }),
  }),
  unknown: errorOf('no such task', 404),
}

export const qianfanKling: VideoWire = {
  ...shared,
  model: 'K2.6',
  request: { seconds: 10, resolution: '1080p', aspect_ratio: '1:1', sound: true },
  seconds: 10,
  submitFlaw: ({ body }) =>
    fieldFlaw(body, ['model', 'type', 'model_parameters'], []) ??
    fieldFlaw(body.model_parameters, ['prompt', 'duration', 'mode', 'sound'], ['aspect_ratio', 'negative_prompt']),
  accepted: task_id => ({ code: 0, message: 'SUCCEED', request_id: 'r', data: { task_id, task_status: 'submitted' } }),
  refused: { status: 200, body: { code: 1301, message: 'the prompt is refused', request_id: 'r' } },
  told: ({ id, status, url, seconds, reason }) => ({
    ...{ code: 0, message: 'SUCCEED', request_id: 'r' },
    data: {
      task_id: id,
      task_status: { queued: 'submitted', running: 'processing', done: 'succeed', failed: 'failed' }[status],
      task_status_msg: reason,
      ...(status === 'done' && { task_result: { videos: url ? [{ id: 'v', url, duration: String(seconds) }] : [] } }),
    },
  }),
  unknown: { status: 404, body: { code: 1203, message: 'no such task', request_id: 'r' } },
}
