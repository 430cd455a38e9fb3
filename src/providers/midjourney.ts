/**
 * Midjourney, by servers that speak Midjourney Proxy. https://github.com/novicezk/midjourney-proxy (read 2026-11) Plus is
 * the larger API of https://github.com/litter-coder/midjourney-proxy-plus (read 2026-11).
 */
import { midjourney as format } from '../formats/midjourney/index.ts'
import { readState, readStates } from '../formats/midjourney/states.ts'
import { midjourneyTask } from '../formats/midjourney/write-task.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf } from './kit/base-url.ts'
import { type Provider, provider, type UpstreamApi } from './kit/provider.ts'
import type { TaskApi } from './kit/task-api.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'

const IDS_MAX = 100
const SUBMIT_TIMEOUT_MS = 60_000

const task: TaskApi = {
  platform: 'midjourney',
  ids_max: IDS_MAX,
  ask: (ids, config) => ({ url: `${baseUrlOf(config)}/mj/task/list-by-condition`, body: { ids: [...ids] } }),
  readStates,
  readPushed: readState,
  writeTask: midjourneyTask,
}

const submit = (path: string): UpstreamApi => ({
  format,
  url: (config, _model, _streamed, body) => baseUrlOf(config) + modeOf(body, config) + path,
  rewriteRequest: withCallback,
  head_ms: SUBMIT_TIMEOUT_MS,
  task,
})

/** Upstreams that charge by mode want it in the path. */
const modeOf = ({ mode }: Json, { setting }: UpstreamConfig) => (setting?.mj_keep_mode && mode ? `/${mode}` : '')

/** The upstream pushes states to this gateway, and never to an address of the client. */
function withCallback({ mode: _, notifyHook: __, ...body }: Json, { callback }: UpstreamConfig): Json {
  return callback ? { ...body, notifyHook: callback } : body
}

const drawing = {
  drawing_imagine: submit('/mj/submit/imagine'),
  drawing_change: submit('/mj/submit/change'),
  drawing_simple_change: submit('/mj/submit/simple-change'),
  drawing_describe: submit('/mj/submit/describe'),
  drawing_blend: submit('/mj/submit/blend'),
}

const declared: Partial<Provider> = {
  key_format: 'secret',
  quirks: { settings: ['mj_keep_mode', 'mj_notify'] },
  authorize: ({ key }: UpstreamConfig) => ({ 'mj-api-secret': key }),
}

export const midjourney = provider({ ...declared, type: 2, label: 'Midjourney Proxy', apis: drawing })

export const midjourneyPlus = provider({
  ...declared,
  type: 5,
  label: 'Midjourney Proxy Plus',
  apis: {
    ...drawing,
    drawing_action: submit('/mj/submit/action'),
    drawing_modal: submit('/mj/submit/modal'),
    drawing_shorten: submit('/mj/submit/shorten'),
    drawing_upload: submit('/mj/submit/upload-discord-images'),
    drawing_swap_face: submit('/mj/insight-face/swap'),
    drawing_edits: submit('/mj/submit/edits'),
    drawing_video: submit('/mj/submit/video'),
  },
})

/** Asks for the seed of a finished drawing. */
export const imageSeed = (config: UpstreamConfig, id: string) => ({
  url: `${baseUrlOf(config)}/mj/task/${encodeURIComponent(id)}/image-seed`,
})
