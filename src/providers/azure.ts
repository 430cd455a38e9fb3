/**
 * Azure OpenAI: a deployment per model, an API version per call, a header of its own for the key.
 * https://learn.microsoft.com/en-us/azure/ai-services/openai/reference (read 2026-11)
 */

import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf, isCloudflare } from './kit/base-url.ts'
import { without } from './kit/json-edits.ts'
import { OPENAI_FIELDS, openAiCompatible, openAiTariffFields, standardApis } from './kit/openai-compatible.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { idsIn, upstreamGet } from './kit/upstream-query.ts'

const DEFAULT_VERSION = '2024-12-01-preview'
/** Older API versions refuse `stream_options`. */
const STREAM_OPTIONS_SINCE = '2024-09'

export const azure = openAiCompatible({
  type: 3,
  label: 'Azure OpenAI',
  key_format: '',
  models: modelsOf(1),
  quirks: {
    other: { meaning: 'api_version', example: DEFAULT_VERSION },
    base_url_form: 'https://RESOURCE.openai.azure.com',
    probe: { model: 'gpt-4o-mini' },
  },
  developer_role: true,
  tariff_fields: openAiTariffFields,
  own_api: { hosts: /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/, fields: OPENAI_FIELDS },
  authorize: ({ key }) => ({ 'api-key': key }),
  url: (base, path, model, config) => `${deploymentsOf(base)}/${encodeURIComponent(model)}${path}${queryOf(config)}`,
  apis: {
    chat: { rewriteRequest },
    responses: { root: '/openai/v1', path: '/responses?api-version=preview' },
    completions: { rewriteRequest },
    ...standardApis('embeddings', 'image_generations', 'image_edits', 'speech', 'transcriptions', 'translations'),
    realtime: {
      root: '/openai',
      path: (model, config) => `/realtime${queryOf(config)}&deployment=${encodeURIComponent(model)}`,
    },
  },
  listModels: upstreamGet(config => `${baseUrlOf(config)}/openai/models${queryOf(config)}`, idsIn),
})

const versionOf = ({ other }: UpstreamConfig) => other || DEFAULT_VERSION

const queryOf = (config: UpstreamConfig) => `?api-version=${encodeURIComponent(versionOf(config))}`

const deploymentsOf = (base: string) => (isCloudflare(base) ? base : `${base}/openai/deployments`)

function rewriteRequest(body: Json, config: UpstreamConfig): Json {
  return versionOf(config) < STREAM_OPTIONS_SINCE ? without(body, 'stream_options') : body
}
