/**
 * Google Vertex AI: Google's own models, and those of other makers, with a token of a service account or with a key of
 * express mode. https://cloud.google.com/vertex-ai/generative-ai/docs (read 2026-11)
 */
import { modelsOf } from '../../models/models.ts'
import { vertexPartnerOf } from '../../models/vertex.ts'
import { type Provider, provider } from '../kit/provider.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { accountFlaw, EXPRESS_KEY, isExpress } from './account.ts'
import { googleApis } from './google.ts'
import { claudeApis, mistralApis, openApis } from './partners.ts'
import { serviceAccountToken } from './token.ts'

const account = {
  type: 41,
  label: 'Vertex AI',
  key_format: 'JSON',
  models: [...new Set([...modelsOf(14), ...modelsOf(24), ...modelsOf(41)])],
  quirks: {
    key_hint: 'vertex',
    host_by_region: true,
    json_key: true,
    plain_key: EXPRESS_KEY,
    other: { meaning: 'region', example: 'us-central1' },
    probe: { model: 'gemini-2.5-flash' },
  },
  keyFlaw: accountFlaw,
  authorize,
  credential: serviceAccountToken,
} satisfies Partial<Provider>

function authorize({ key, token }: UpstreamConfig): Record<string, string> {
  if (isExpress(key)) return { 'x-goog-api-key': key }
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

const partners = {
  claude: provider({ ...account, apis: claudeApis }),
  mistral: provider({ ...account, apis: mistralApis }),
  open: provider({ ...account, apis: openApis, stream_usage: true }),
}

/** Express mode serves Google's own models alone. */
const unserved = provider({ ...account, apis: {} })

export const vertex = provider({
  ...account,
  apis: googleApis,
  variants: [partners.claude, partners.mistral, partners.open, unserved],
  variant({ model, config }) {
    const partner = vertexPartnerOf(model)
    return partner && (isExpress(config.key) ? unserved : partners[partner])
  },
})
