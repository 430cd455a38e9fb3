/** GitHub's models. */

import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { baseOf, under } from './base-url.ts'
import { texts } from './embeddings.ts'
import { bearer, openAiCompatible } from './openai.ts'
import type { UpstreamConfig } from './provider.ts'
import { namesIn, upstreamGet } from './upstream-query.ts'

const HOME = 'https://models.github.ai'
const OLD_HOME = 'https://models.inference.ai.azure.com'

export const gitHub = openAiCompatible({
  type: 49,
  label: 'GitHub Models',
  base_url: HOME,
  key_format: 'github_pat_…',
  models: modelsOf(49),
  knows_developers: true,
  authorize: line => ({ ...bearer(line), accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }),
  address: (base, path, _, line) => rootOf(base, line) + path,
  offers: { chat: { rewriteRequest: withStops }, embeddings: { rewriteRequest: withInputs } },
  listModels: upstreamGet(line => `${baseOf(line, HOME)}/catalog/models`, namesIn('', 'id')),
})

/** Where OpenAI takes one thing or a list, it takes a list. */
function withStops(body: Json): Json {
  return typeof body.stop === 'string' ? { ...body, stop: [body.stop] } : body
}

function withInputs(body: Json): Json {
  return { ...body, input: texts(body.input) }
}

/** On behalf of an organisation, where the channel names one. */
function rootOf(base: string, { other }: UpstreamConfig): string {
  if (base.startsWith(OLD_HOME)) return base
  if (!base.startsWith(HOME)) return under(base, '/v1')
  return other ? `${base}/orgs/${encodeURIComponent(other)}/inference` : `${base}/inference`
}
