/** Makers of videos with wires of their own. Their pages stand in `src/providers`. */
import { createHmac } from 'node:crypto'
import type { Json } from '../strict-provider.ts'
import { bearerFlaw, fieldFlaw, type VideoCall, type VideoWire } from './server.ts'
import { gets, usual, type Words } from './words.ts'

/** The signature is checked as RFC 7519 says. */
function jwtFlaw({ headers }: VideoCall): string | undefined {
  const [head = '', claims = '', signature] = (headers.authorization ?? '').replace('Bearer ', '').split('.')
  const { iss, exp, nbf } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}')
  const right = createHmac('sha256', 'SK1').update(`${head}.${claims}`).digest('base64url')
  return iss === 'AK1' && exp - nbf === 1805 && signature === right ? undefined : 'wrong key'
}

const klingWords: Words = { queued: 'submitted', running: 'processing', done: 'succeed', failed: 'failed' }

export const kling: VideoWire = {
  channel: { type: 50, key: 'AK1|SK1' },
  model: 'kling-v2-6',
  request: { seconds: 10, mode: 'pro', aspect_ratio: '16:9', sound: false, negative_prompt: 'rain' },
  seconds: 10,
  authFlaw: jwtFlaw,
  submits: /^POST \/v1\/videos\/(?:text2video|image2video|omni-video)$/,
  submitFlaw: ({ body }) =>
    fieldFlaw(
      body,
      ['model_name', 'prompt', 'duration', 'mode'],
      ['negative_prompt', 'aspect_ratio', 'sound', 'cfg_scale', 'image', 'image_tail', 'image_list', 'video_list'],
    ) ?? (/^data:/.test(body.image ?? '') ? 'images have no prefix' : undefined),
  accepted: task_id => ({ code: 0, message: 'SUCCEED', request_id: 'r', data: { task_id, task_status: 'submitted' } }),
  refused: { status: 400, body: { code: 1301, message: 'the prompt is refused', request_id: 'r' } },
  asksFor: gets(/^\/v1\/videos\/(?:text2video|image2video|omni-video)\/([\w-]+)$/),
  told: ({ id, status, url, seconds, reason }) => ({
    ...{ code: 0, message: 'SUCCEED', request_id: 'r' },
    data: {
      ...{ task_id: id, task_status: klingWords[status], task_status_msg: reason },
      ...(status === 'done' && { task_result: { videos: url ? [{ id: 'v', url, duration: String(seconds) }] : [] } }),
    },
  }),
  unknown: { status: 400, body: { code: 1203, message: 'no such task', request_id: 'r' } },
}

export const vidu: VideoWire = {
  channel: { type: 52, key: 'vda-key' },
  model: 'viduq2',
  request: { seconds: 8, resolution: '1080p', aspect_ratio: '16:9' },
  seconds: 8,
  tells_no_length: true,
  authFlaw: ({ headers }) => (headers.authorization === 'Token vda-key' ? undefined : 'wrong key'),
  submits: /^POST \/ent\/v2\/(?:text2video|img2video|start-end2video|reference2video)$/,
  submitFlaw: ({ body }) =>
    fieldFlaw(body, ['model', 'prompt', 'duration', 'resolution'], ['aspect_ratio', 'images', 'seed']),
  accepted: task_id => ({ task_id, state: 'created', credits: 4 }),
  refused: { status: 400, body: { code: 400, reason: 'blocked', message: 'the prompt is refused' } },
  asksFor: gets(/^\/ent\/v2\/tasks\/([\w-]+)\/creations$/),
  told: ({ status, url, reason }) => ({
    state: { queued: 'queueing', running: 'processing', done: 'success', failed: 'failed' }[status],
    ...{
      err_code: reason,
      credits: 4,
      creations: url ? [{ id: 'c', url, cover_url: url.replace('.mp4', '.png') }] : [],
    },
  }),
  unknown: { status: 404, body: { code: 404, reason: 'NotFound', message: 'no such task' } },
}

const isFine = { status_code: 0, status_msg: 'success' }

export const hailuo: VideoWire = {
  channel: { type: 35, key: 'eyJ-key' },
  model: 'MiniMax-Hailuo-2.3',
  request: { seconds: 10, resolution: '768p' },
  seconds: 10,
  tells_no_length: true,
  authFlaw: bearerFlaw('eyJ-key'),
  submits: /^POST \/v1\/video_generation$/,
  submitFlaw: ({ body }) =>
    fieldFlaw(body, ['model', 'prompt', 'duration', 'resolution'], ['first_frame_image', 'prompt_optimizer']),
  accepted: task_id => ({ task_id, base_resp: isFine }),
  refused: {
    status: 200,
    body: { task_id: '', base_resp: { status_code: 1026, status_msg: 'the prompt is refused' } },
  },
  asksFor: gets(/^\/v1\/query\/video_generation\?task_id=([\w-]+)$/),
  told: ({ id, status, url, reason }) => ({
    ...{ task_id: id, file_id: url ? `file-${id}` : '' },
    status: { queued: 'Queueing', running: 'Processing', done: 'Success', failed: 'Fail' }[status],
    base_resp: reason ? { status_code: 1027, status_msg: reason } : isFine,
  }),
  unknown: { status: 404, body: { base_resp: { status_code: 2013, status_msg: 'no such task' } } },
  async beside({ target }, answer, url) {
    const file = /^\/v1\/files\/retrieve\?file_id=file-([\w-]+)$/.exec(target)?.[1]
    if (!file) return false
    await answer.json({ file: { file_id: file, download_url: `${url}/files/${file}.mp4` }, base_resp: isFine })
    return true
  },
}

export const hailuo2: VideoWire = {
  ...hailuo,
  model: 'MiniMax-H3',
  request: { seconds: 10, resolution: '2k', aspect_ratio: '16:9' },
  tells_no_length: undefined,
  submits: /^POST \/v2\/video_generation$/,
  submitFlaw: ({ body }) => fieldFlaw(body, ['model', 'content', 'duration', 'resolution', 'ratio'], []),
  accepted: task_id => ({ task_id }),
  refused: { status: 400, body: { type: 'error', error: { type: 'bad_request', message: 'the prompt is refused' } } },
  asksFor: gets(/^\/v2\/query\/video_generation\/([\w-]+)$/),
  told: ({ status, url, seconds, reason }) => ({
    task: {
      status: usual[status],
      ...(status === 'done' && { content: { url }, usage: { total_seconds: seconds, output_seconds: seconds } }),
      ...(reason && { error: { code: 'blocked', message: reason } }),
    },
  }),
  unknown: { status: 404, body: { type: 'error', error: { type: 'not_found', message: 'no such task' } } },
}

/** The signature's own vector is tested for itself; here its parts are. */
function signatureFlaw({ headers }: VideoCall): string | undefined {
  const { authorization = '' } = headers
  const day = headers['x-date']?.slice(0, 8)
  const form = `HMAC-SHA256 Credential=AK1/${day}/cn-north-1/cv/request, SignedHeaders=content-type;host;x-content-sha256;x-date, Signature=`
  return authorization.startsWith(form) && /[0-9a-f]{64}$/.test(authorization) ? undefined : 'wrong signature'
}

export const jimeng: VideoWire = {
  channel: { type: 51, key: 'AK1|SK1' },
  model: 'jimeng_v30',
  request: { seconds: 10, aspect_ratio: '16:9', seed: 4 },
  seconds: 10,
  tells_no_length: true,
  authFlaw: signatureFlaw,
  submits: /^POST \/\?Action=CVSync2AsyncSubmitTask&Version=2022-08-31$/,
  submitFlaw: ({ body }) =>
    fieldFlaw(body, ['req_key', 'prompt', 'frames'], ['aspect_ratio', 'seed', 'image_urls', 'binary_data_base64']),
  accepted: task_id => ({ code: 10000, message: 'Success', request_id: 'r', data: { task_id } }),
  refused: { status: 400, body: { code: 50411, message: 'the prompt is refused', request_id: 'r' } },
  asksFor: ({ target, body }) =>
    target === '/?Action=CVSync2AsyncGetResult&Version=2022-08-31' && body.req_key ? body.task_id : undefined,
  told: ({ status, url, reason }): Json =>
    reason
      ? { code: 10000, message: reason, data: { status: 'expired' } }
      : {
          ...{ code: 10000, message: 'Success', request_id: 'r' },
          data: {
            status: { queued: 'in_queue', running: 'generating', done: 'done', failed: 'expired' }[status],
            video_url: url,
          },
        },
  unknown: { status: 200, body: { code: 10000, message: 'Success', data: { status: 'not_found' } } },
}
