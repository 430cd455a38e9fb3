/** Suno: songs and lyrics, by gateways that speak Suno-API. https://github.com/Suno-API/Suno-API (read 2026-11) */
import { suno as format } from '../formats/suno/index.ts'
import { readStates } from '../formats/suno/states.ts'
import type { SunoAction } from '../formats/suno/wire.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf } from './kit/base-url.ts'
import { bearer } from './kit/openai-compatible.ts'
import { provider, type UpstreamApi } from './kit/provider.ts'
import type { TaskApi } from './kit/task-api.ts'

const IDS_MAX = 100
const MODEL_VERSION = 'chirp-v3-0'

const task: TaskApi = {
  platform: 'suno',
  ids_max: IDS_MAX,
  ask: (ids, config) => ({ url: `${baseUrlOf(config)}/suno/fetch`, body: { ids: [...ids] } }),
  readStates,
}

/** Upstreams know the actions in capitals alone. */
const submit = (action: SunoAction): UpstreamApi => ({
  format,
  url: config => `${baseUrlOf(config)}/suno/submit/${action}`,
  task,
})

export const suno = provider({
  type: 36,
  label: 'Suno',
  authorize: bearer,
  apis: {
    music: { ...submit('MUSIC'), rewriteRequest: withModelVersion },
    lyrics: submit('LYRICS'),
  },
})

function withModelVersion(body: Json): Json {
  return { ...body, mv: body.mv || MODEL_VERSION }
}
