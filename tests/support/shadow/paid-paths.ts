/** A call for each path that is paid for, with what an old gateway answers and what that costs with the prices here. */
import { recording } from '../people/speech-file.ts'

/** Model ratio 1 and completion ratio 1. */
export const MODEL = 'gate'
const SPEECH = 'tts-gate'
/** Of each call by tokens. */
export const TOKENS = 4
export const RATIOS = Object.fromEntries([MODEL, SPEECH].map(name => [name, 1]))
/** USD. */
export const TASK_PRICES = {
  mj_imagine: { unit: 'call', price: 0.05 },
  'mj_imagine@turbo': { unit: 'call', price: 0.15 },
  mj_upscale: { unit: 'call', price: 0.01 },
  mj_inpaint: { unit: 'call', price: 0.5 },
  mj_describe: { unit: 'call', price: 0.02 },
  mj_blend: { unit: 'call', price: 0.06 },
  mj_modal: { unit: 'call', price: 0.07 },
  mj_shorten: { unit: 'call', price: 0.03 },
  mj_upload: { unit: 'call', price: 0.001 },
  mj_edits: { unit: 'call', price: 0.08 },
  mj_video: { unit: 'call', price: 0.4 },
  swap_face: { unit: 'call', price: 0.09 },
  suno_music: { unit: 'call', price: 0.1 },
  suno_lyrics: { unit: 'call', price: 0.004 },
  'sora-2': { unit: 'second', price: 0.1, add: { image: 0.01 } },
  'kling-v2-6': { unit: 'second', price: 0.2 },
  'kling-v3-omni': { unit: 'call', price: 0.3, when: [{ resolution: '1080p', times: 2 }] },
  jimeng_v30: { unit: '1k_tokens', price: 0.01 },
}

export interface PaidCall {
  /** In place of the route's own path. */
  path?: string
  body: object | FormData
  answer: object | string
  model?: string
  /** Prompt and completion, of `TOKENS`. */
  tokens?: [number, number]
  /** USD of a task, before the group. */
  usd?: number
}

const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: TOKENS }
const inputs = { prompt_tokens: TOKENS, total_tokens: TOKENS }
const shares = { input_tokens: 3, output_tokens: 1, total_tokens: TOKENS }
const counted = { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: TOKENS }

const message = { role: 'assistant', content: 'Hi' }
const messages = [{ role: 'user', content: 'Hi' }]
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const content = { parts: [{ text: 'Hi' }] }
const response = {
  ...{ id: 'resp_1', object: 'response', status: 'completed', usage: shares },
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] }],
}
const generated = {
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: counted,
}
const embedded = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], usage: inputs }
const ranked = { results: [{ index: 0, relevance_score: 1 }], usage: { total_tokens: TOKENS } }
const picture = { created: 1, data: [{ b64_json: 'aGk=' }], usage: shares }
const [SPLIT, INPUT]: [number, number][] = [
  [3, 1],
  [TOKENS, 0],
]

function form(fields: Record<string, string | File>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}
const image = () => new File(['bytes'], 'a.png', { type: 'image/png' })
const spoken = (): PaidCall => ({
  body: form({ model: MODEL, file: recording(1) }),
  answer: { text: 'Hi', usage: { type: 'tokens', ...shares } },
  tokens: SPLIT,
})

const byModel = `models/${MODEL}`
const geminiCalls = (prefix: string): Record<string, PaidCall> => {
  const at = (verb: string, call: PaidCall) => [
    `${prefix}/models/*:${verb}`,
    { path: `${prefix}/${byModel}:${verb}`, ...call },
  ]
  return Object.fromEntries([
    at('generateContent', { body: { contents }, answer: generated, tokens: SPLIT }),
    at('streamGenerateContent', { body: { contents }, answer: [generated], tokens: SPLIT }),
    at('embedContent', {
      body: { content },
      answer: { embedding: { values: [0.5] }, usageMetadata: { promptTokenCount: TOKENS } },
      tokens: INPUT,
    }),
    at('batchEmbedContents', {
      body: { requests: [{ model: byModel, content }] },
      answer: { embeddings: [{ values: [0.5] }], usageMetadata: { promptTokenCount: TOKENS } },
      tokens: INPUT,
    }),
  ])
}

const PICTURE = 'data:image/png;base64,iVBORw0KGgo='
const drawn = (model: string, usd: number, body: object, result: unknown = '1718000000000077'): PaidCall => ({
  ...{ model, usd, body, answer: { code: 1, description: 'Submit success', properties: {}, result } },
})
const sung = { code: 'success', message: '', data: 'task-1' }
const submitted = { id: 'video_1', object: 'video', status: 'queued' }
const kling = { code: 0, message: 'SUCCEED', data: { task_id: '7', task_status: 'submitted' } }
const other = '1718000000000077'

/** By the path of the route. */
export const PAID: Record<string, PaidCall> = {
  '/v1/chat/completions': {
    body: { model: MODEL, messages },
    answer: { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
    tokens: SPLIT,
  },
  '/v1/responses': { body: { model: MODEL, input: 'Hi' }, answer: response, tokens: SPLIT },
  '/v1/responses/compact': {
    body: { model: MODEL, input: 'Hi' },
    answer: { ...response, object: 'response.compaction' },
    tokens: SPLIT,
  },
  '/v1/messages': {
    body: { model: MODEL, max_tokens: 9, messages },
    answer: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: MODEL, stop_reason: 'end_turn' },
      ...{ content: [{ type: 'text', text: 'Hi' }], usage: { input_tokens: 3, output_tokens: 1 } },
    },
    tokens: SPLIT,
  },
  '/v1/completions': {
    body: { model: MODEL, prompt: 'Hi' },
    answer: { object: 'text_completion', choices: [{ index: 0, text: 'Hi', finish_reason: 'stop' }], usage },
    tokens: SPLIT,
  },
  '/v1/embeddings': { body: { model: MODEL, input: 'Hi' }, answer: embedded, tokens: INPUT },
  '/v1/engines/:model/embeddings': {
    ...{ path: `/v1/engines/${MODEL}/embeddings`, body: { input: 'Hi' }, answer: embedded, tokens: INPUT },
  },
  '/v1/moderations': {
    body: { model: MODEL, input: 'Hi' },
    answer: { results: [{ flagged: false }], usage: inputs },
    tokens: INPUT,
  },
  '/v1/rerank': { body: { model: MODEL, query: 'Hi', documents: ['Hi'] }, answer: ranked, tokens: INPUT },
  '/rerank': { body: { model: MODEL, query: 'Hi', documents: ['Hi'] }, answer: ranked, tokens: INPUT },
  '/v1/images/generations': { body: { model: MODEL, prompt: 'Hi' }, answer: picture, tokens: SPLIT },
  '/v1/images/edits': { body: form({ model: MODEL, prompt: 'Hi', image: image() }), answer: picture, tokens: SPLIT },
  '/v1/images/variations': { body: form({ model: MODEL, image: image() }), answer: picture, tokens: SPLIT },
  '/v1/audio/speech': {
    ...{ model: SPEECH, body: { model: SPEECH, voice: 'alloy', input: 'x'.repeat(TOKENS) }, answer: 'sound' },
    tokens: INPUT,
  },
  '/v1/audio/transcriptions': spoken(),
  '/v1/audio/translations': spoken(),
  ...geminiCalls('/v1'),
  ...geminiCalls('/v1beta'),
  '/suno/submit/music': {
    ...{ model: 'suno_music', usd: 0.1, answer: sung },
    body: { prompt: 'A gate', tags: 'folk' },
  },
  '/suno/submit/lyrics': { model: 'suno_lyrics', usd: 0.004, answer: sung, body: { prompt: 'A gate' } },
  '/suno/submit/:action': {
    ...{ path: '/suno/submit/MUSIC', model: 'suno_music', usd: 0.1, answer: sung },
    body: { task_id: 'of theirs', continue_clip_id: 'clip', prompt: 'A gate' },
  },
  '/mj/submit/imagine': { path: '/mj-turbo/mj/submit/imagine', ...drawn('mj_imagine', 0.15, { prompt: 'A gate' }) },
  '/mj/submit/change': drawn('mj_upscale', 0.01, { taskId: other, action: 'UPSCALE', index: 1 }),
  '/mj/submit/simple-change': drawn('mj_upscale', 0.01, { content: `${other} U1` }),
  '/mj/submit/describe': drawn('mj_describe', 0.02, { base64: PICTURE }),
  '/mj/submit/blend': drawn('mj_blend', 0.06, { base64Array: [PICTURE, PICTURE] }),
  // It opens a window, and the modal is charged.
  '/mj/submit/action': drawn('mj_inpaint', 0, { taskId: other, customId: 'MJ::Inpaint::1::uuid::SOLO' }),
  '/mj/submit/modal': drawn('mj_modal', 0.07, { taskId: other, prompt: 'A gate' }),
  '/mj/submit/shorten': drawn('mj_shorten', 0.03, { prompt: 'A gate' }),
  '/mj/submit/upload-discord-images': drawn('mj_upload', 0.001, { base64Array: [PICTURE] }, ['https://cdn.example/1']),
  '/mj/submit/edits': drawn('mj_edits', 0.08, { prompt: 'A gate', image: PICTURE }),
  '/mj/submit/video': drawn('mj_video', 0.4, { prompt: 'A gate', image: PICTURE }),
  '/mj/insight-face/swap': drawn('swap_face', 0.09, { sourceBase64: PICTURE, targetBase64: PICTURE }),
  '/v1/videos': {
    body: { model: 'sora-2', prompt: 'A gate', seconds: '8', input_reference: { image_url: PICTURE } },
    ...{ model: 'sora-2', usd: 0.81, answer: submitted },
  },
  // Four seconds are what Sora makes when none are asked for.
  '/v1/video/generations': {
    ...{ model: 'sora-2', usd: 0.4, body: { model: 'sora-2', prompt: 'A gate' } },
    answer: { task_id: 'task_1', status: 'queued' },
  },
  '/kling/v1/videos/text2video': {
    ...{ model: 'kling-v2-6', usd: 2, answer: kling },
    body: { model_name: 'kling-v2-6', prompt: 'A gate', duration: '10' },
  },
  // Five seconds are what the channel here makes when none are asked for.
  '/kling/v1/videos/image2video': {
    ...{ model: 'kling-v2-6', usd: 1, answer: kling },
    body: { model_name: 'kling-v2-6', prompt: 'A gate', image: 'iVBORw0KGgo=' },
  },
  '/kling/v1/videos/omni-video': {
    ...{ model: 'kling-v3-omni', usd: 0.6, answer: kling },
    body: { model_name: 'kling-v3-omni', prompt: 'A gate', resolution: '1080p' },
  },
  // 1280 × 720 pixels, 24 frames of 5 seconds, 1,024 pixels a token.
  '/jimeng/': {
    path: '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
    ...{ model: 'jimeng_v30', usd: 1.08, answer: { code: 10_000, message: 'Success', data: { task_id: '7' } } },
    body: { req_key: 'jimeng_t2v_v30', prompt: 'A gate', frames: 121, aspect_ratio: '16:9', resolution: '720p' },
  },
}
