/** Azure's OpenAI: a deployment for each model, a version for each API, a header for the key. */

import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { baseOf, isCloudflare } from './base-url.ts'
import { without } from './json-edits.ts'
import { openAiCompatible, plainly } from './openai.ts'
import type { UpstreamConfig } from './provider.ts'
import { idsIn, upstreamGet } from './upstream-query.ts'

const VERSION = '2024-12-01-preview'
/** Before it, `stream_options` is refused. */
const STREAM_OPTIONS_SINCE = '2024-09'

export const azure = openAiCompatible({
  type: 3,
  label: 'Azure OpenAI',
  key_format: '',
  models: modelsOf(1),
  knows_developers: true,
  authorize: ({ key }) => ({ 'api-key': key }),
  address: (base, path, model, line) => `${deploymentsUnder(base)}/${encodeURIComponent(model)}${path}${queryOf(line)}`,
  offers: {
    chat: { rewriteRequest },
    responses: { root: '/openai/v1', path: '/responses?api-version=preview' },
    completions: { rewriteRequest },
    ...plainly('embeddings', 'image_generations', 'image_edits', 'speech', 'transcriptions', 'translations'),
    realtime: {
      root: '/openai',
      path: (model, line) => `/realtime${queryOf(line)}&deployment=${encodeURIComponent(model)}`,
    },
  },
  listModels: upstreamGet(line => `${baseOf(line)}/openai/models${queryOf(line)}`, idsIn),
})

const versionOf = ({ other }: UpstreamConfig) => other || VERSION

const queryOf = (line: UpstreamConfig) => `?api-version=${encodeURIComponent(versionOf(line))}`

const deploymentsUnder = (base: string) => (isCloudflare(base) ? base : `${base}/openai/deployments`)

function rewriteRequest(body: Json, line: UpstreamConfig): Json {
  return versionOf(line) < STREAM_OPTIONS_SINCE ? without(body, 'stream_options') : body
}
