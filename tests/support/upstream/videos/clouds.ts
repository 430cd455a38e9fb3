/** Clouds and resellers that make videos beside other work. Their pages stand in `src/providers/videos`. */
import { bearerFlaw, fieldFlaw, film, type VideoWire } from './server.ts'
import { errorOf, gets, usual } from './words.ts'

export const xai: VideoWire = {
  channel: { type: 48, key: 'xai-key' },
  model: 'grok-imagine-video',
  request: { seconds: 10, resolution: '720p', aspect_ratio: '16:9' },
  seconds: 10,
  authFlaw: bearerFlaw('xai-key'),
  submits: /^POST \/v1\/videos\/generations$/,
  submitFlaw: ({ body }) => fieldFlaw(body, ['model', 'prompt', 'duration', 'resolution', 'aspect_ratio'], ['image']),
  accepted: request_id => ({ request_id }),
  refused: { status: 400, body: { code: 'invalid', error: 'the prompt is refused' } },
  asksFor: gets(/^\/v1\/videos\/([\w-]+)$/),
  told: ({ status, url, seconds, reason }) => ({
    status: { queued: 'pending', running: 'pending', done: 'done', failed: 'failed' }[status],
    ...(status === 'done' && {
      // By its frames.
      video: { url, duration: seconds + 0.04 },
      usage: { cost_in_usd_ticks: seconds * 700_000_000 },
    }),
    ...(reason && { error: reason }),
  }),
  unknown: { status: 404, body: { code: 'not_found', error: 'no such request' } },
}

export const openRouter: VideoWire = {
  channel: { type: 20, key: 'sk-or-1' },
  model: 'google/veo-3.1',
  request: { seconds: 8, resolution: '1080p', aspect_ratio: '9:16', sound: false, seed: 7 },
  seconds: 8,
  tells_no_length: true,
  authFlaw: bearerFlaw('sk-or-1'),
  submits: /^POST \/v1\/videos$/,
  submitFlaw: ({ body }) =>
    fieldFlaw(
      body,
      ['model', 'prompt', 'duration', 'resolution', 'aspect_ratio', 'generate_audio'],
      ['seed', 'frame_images', 'input_references'],
    ),
  accepted: id => ({ id, polling_url: '/', status: 'pending' }),
  refused: errorOf('the prompt is refused'),
  asksFor: gets(/^\/v1\/videos\/([\w-]+)$/),
  told: ({ id, status, url, reason }) => ({
    ...{ id, status: { queued: 'pending', running: 'in_progress', done: 'completed', failed: 'failed' }[status] },
    ...(status === 'done' && { unsigned_urls: url ? [url] : [], usage: { cost: 0.8, is_byok: false } }),
    ...(reason && { error: reason }),
  }),
  unknown: errorOf('no such video', 404),
  async beside({ target }, answer) {
    if (!/^\/v1\/videos\/[\w-]+\/content\?index=0$/.test(target)) return false
    await film({ method: 'GET', target, headers: {}, body: {}, text: '' }, answer)
    return true
  },
}

export const zhipu: VideoWire = {
  channel: { type: 26, key: 'id.secret' },
  model: 'cogvideox-3',
  request: { seconds: 10, size: '1280x720', sound: true },
  seconds: 10,
  tells_no_length: true,
  authFlaw: bearerFlaw('id.secret'),
  submits: /^POST \/api\/paas\/v4\/videos\/generations$/,
  submitFlaw: ({ body }) => fieldFlaw(body, ['model', 'prompt', 'duration', 'size', 'with_audio'], ['image_url']),
  accepted: id => ({ id, task_status: 'PROCESSING', request_id: 'r', model: 'cogvideox-3' }),
  refused: errorOf('the prompt is refused'),
  asksFor: gets(/^\/api\/paas\/v4\/async-result\/([\w-]+)$/),
  told: ({ status, url, reason }) => ({
    task_status: { queued: 'PROCESSING', running: 'PROCESSING', done: 'SUCCESS', failed: 'FAIL' }[status],
    ...(url && { video_result: [{ url, cover_image_url: url.replace('.mp4', '.png') }] }),
    ...(reason && { error: { message: reason } }),
  }),
  unknown: errorOf('no such task', 404),
}

export const siliconCloud: VideoWire = {
  channel: { type: 40, key: 'sk-silicon' },
  model: 'Wan-AI/Wan2.2-T2V-A14B',
  request: { seconds: 5, size: '720x1280', seed: 3, negative_prompt: 'rain' },
  seconds: 5,
  tells_no_length: true,
  authFlaw: bearerFlaw('sk-silicon'),
  submits: /^POST \/v1\/video\/submit$/,
  submitFlaw: ({ body }) => fieldFlaw(body, ['model', 'prompt', 'image_size'], ['image', 'seed', 'negative_prompt']),
  accepted: requestId => ({ requestId }),
  refused: { status: 400, body: { code: 20015, message: 'the prompt is refused' } },
  asksFor: ({ method, target, body }) =>
    method === 'POST' && target === '/v1/video/status' ? body.requestId : undefined,
  told: ({ status, url, reason }) => ({
    status: { queued: 'InQueue', running: 'InProgress', done: 'Succeed', failed: 'Failed' }[status],
    ...{ reason, results: url ? { videos: [{ url }] } : null },
  }),
  unknown: { status: 404, body: { code: 20012, message: 'no such task' } },
}

/** Seed of a request for which the cloud searches twice. */
export const SEARCHES = 7

export const ark = (type: number): VideoWire => ({
  channel: { type, key: 'ark-key' },
  model: `doubao-seedance-1-0-pro-of-${type}`,
  request: { seconds: 10, resolution: '1080p', aspect_ratio: '16:9', seed: 1 },
  seconds: 10,
  tells_no_length: true,
  authFlaw: bearerFlaw('ark-key'),
  submits: /^POST \/api\/v3\/contents\/generations\/tasks$/,
  submitFlaw: ({ body }) =>
    fieldFlaw(
      body,
      ['model', 'content', 'resolution', 'duration'],
      ['ratio', 'seed', 'generate_audio', 'camera_fixed'],
    ),
  accepted: id => ({ id }),
  refused: errorOf('the prompt is refused'),
  asksFor: gets(/^\/api\/v3\/contents\/generations\/tasks\/([\w-]+)$/),
  told: ({ id, status, url, seconds, reason, request }) => ({
    ...{ id, model: 'm', status: usual[status], created_at: 1, updated_at: 2 },
    ...(status === 'done' && { content: { video_url: url } }),
    ...(status === 'done' && {
      usage: {
        completion_tokens: seconds * 48_600,
        ...(request.seed === SEARCHES && { tool_usage: { web_search: 2 } }),
      },
    }),
    ...(reason && { error: { code: 'blocked', message: reason } }),
  }),
  unknown: errorOf('no such task', 404),
  async beside({ method }, answer) {
    if (method !== 'DELETE') return false
    await answer.json({})
    return true
  },
})

export const ali: VideoWire = {
  channel: { type: 17, key: 'sk-ali' },
  model: 'wan2.5-t2v-preview',
  request: { seconds: 10, size: '1920x1080', sound: true, seed: 9, negative_prompt: 'rain' },
  seconds: 10,
  authFlaw: bearerFlaw('sk-ali'),
  submits: /^POST \/api\/v1\/services\/aigc\/video-generation\/video-synthesis$/,
  submitFlaw: ({ body, headers }) =>
    headers['x-dashscope-async'] !== 'enable'
      ? 'not asynchronous'
      : (fieldFlaw(body, ['model', 'input', 'parameters'], []) ??
        fieldFlaw(body.parameters, ['duration'], ['size', 'resolution', 'audio', 'seed', 'ratio', 'prompt_extend'])),
  accepted: task_id => ({ request_id: 'r', output: { task_id, task_status: 'PENDING' } }),
  refused: { status: 400, body: { code: 'DataInspectionFailed', message: 'the prompt is refused', request_id: 'r' } },
  asksFor: gets(/^\/api\/v1\/tasks\/([\w-]+)$/),
  told: ({ id, status, url, seconds, reason }) => ({
    request_id: 'r',
    output: {
      task_id: id,
      task_status: { queued: 'PENDING', running: 'RUNNING', done: 'SUCCEEDED', failed: 'FAILED' }[status],
      ...(status === 'done' && { video_url: url }),
      ...(reason && { code: 'blocked', message: reason }),
    },
    ...(status === 'done' && { usage: { duration: String(seconds), video_count: 1, SR: 1080 } }),
  }),
  unknown: { status: 200, body: { request_id: 'r', output: { task_status: 'UNKNOWN' } } },
}

export const veo: VideoWire = {
  channel: { type: 24, key: 'AIza-key' },
  model: 'veo-3.1-generate-preview',
  request: { seconds: 6, resolution: '1080p', aspect_ratio: '9:16', negative_prompt: 'rain' },
  seconds: 6,
  tells_no_length: true,
  authFlaw: ({ headers }) => (headers['x-goog-api-key'] === 'AIza-key' ? undefined : 'wrong key'),
  submits: /^POST \/v1beta\/models\/[\w.-]+:predictLongRunning$/,
  submitFlaw: ({ body }) =>
    fieldFlaw(body, ['instances', 'parameters'], []) ??
    fieldFlaw(
      body.parameters,
      ['sampleCount', 'durationSeconds', 'resolution'],
      ['aspectRatio', 'negativePrompt', 'seed', 'personGeneration'],
    ),
  accepted: id => ({ name: `models/veo-3.1-generate-preview/operations/${id}` }),
  refused: {
    status: 400,
    body: { error: { code: 400, message: 'the prompt is refused', status: 'INVALID_ARGUMENT' } },
  },
  asksFor: gets(/^\/v1beta\/models\/[\w.-]+\/operations\/([\w-]+)$/),
  told: ({ id, status, url, reason }) => ({
    name: `models/veo-3.1-generate-preview/operations/${id}`,
    ...((status === 'done' || status === 'failed') && { done: true }),
    ...(reason && { error: { code: 3, message: reason } }),
    ...(status === 'done' && {
      response: { generateVideoResponse: { generatedVideos: url ? [{ video: { uri: `${url}:download` } }] : [] } },
    }),
  }),
  unknown: { status: 404, body: { error: { code: 404, message: 'no such operation', status: 'NOT_FOUND' } } },
}
