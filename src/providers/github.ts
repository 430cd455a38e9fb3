/** GitHub Models. https://docs.github.com/en/rest/models/inference (read 2026-11) */

import type { Json } from '../pure/json.ts'
import { baseUrlOf, withVersion } from './kit/base-url.ts'
import { listOf } from './kit/embeddings.ts'
import { bearer, openAiCompatible } from './kit/openai-compatible.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { namesIn, upstreamGet } from './kit/upstream-query.ts'

const BASE_URL = 'https://models.github.ai'
const OLD_BASE_URL = 'https://models.inference.ai.azure.com'

export const gitHub = openAiCompatible({
  type: 49,
  label: 'GitHub Models',
  base_url: BASE_URL,
  key_format: 'github_pat_…',
  developer_role: true,
  authorize: config => ({
    ...bearer(config),
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }),
  url: (base, path, _, config) => rootOf(base, config) + path,
  quirks: { probe: { model: 'openai/gpt-4o-mini' } },
  apis: { chat: { rewriteRequest: withStopList }, embeddings: { rewriteRequest: withInputList } },
  // https://docs.github.com/en/rest/models/catalog (read 2026-11)
  listModels: upstreamGet(config => `${baseUrlOf(config, BASE_URL)}/catalog/models`, namesIn('', 'id')),
})

/** A single value must be a list here, unlike at OpenAI. */
function withStopList(body: Json): Json {
  return typeof body.stop === 'string' ? { ...body, stop: [body.stop] } : body
}

function withInputList(body: Json): Json {
  return { ...body, input: listOf(body.input) }
}

/** @param config with the organisation that pays in `other` */
function rootOf(base: string, { other }: UpstreamConfig): string {
  if (base.startsWith(OLD_BASE_URL)) return base
  if (!base.startsWith(BASE_URL)) return withVersion(base, '/v1')
  return other ? `${base}/orgs/${encodeURIComponent(other)}/inference` : `${base}/inference`
}
