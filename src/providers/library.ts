/** AI Proxy's knowledge base. https://docs.aiproxy.io/dev/library (read 2026-11) */
import { library as answers } from '../formats/library/index.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf } from './kit/base-url.ts'
import { bearer } from './kit/openai-compatible.ts'
import { provider } from './kit/provider.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { amountIn, upstreamGet } from './kit/upstream-query.ts'

const BASE_URL = 'https://api.aiproxy.io'
const ACCOUNT_URL = 'https://aiproxy.io'

const own = { type: 21, label: 'AI Proxy knowledge base', base_url: BASE_URL, models: modelsOf(1) }

/** The account is queried at another host, with another header. https://docs.aiproxy.io (read 2026-11) */
const account = provider({
  ...own,
  authorize: ({ key }) => ({ 'api-key': key }),
  balance: upstreamGet(
    config => `${accountUrlOf(config)}/api/report/getUserOverview`,
    body => amountIn(body, 'data.totalPoints'),
  ),
})

const accountUrlOf = (config: UpstreamConfig) => {
  const base = baseUrlOf(config, BASE_URL)
  return base === BASE_URL ? ACCOUNT_URL : base
}

export const library = provider({
  ...own,
  quirks: { other: { meaning: 'knowledge_base' }, probe: { model: 'gpt-4o-mini' } },
  authorize: bearer,
  // Queries name no model.
  variant: ({ model }) => (model === '' ? account : undefined),
  variants: [account],
  apis: {
    chat: {
      format: answers,
      url: config => `${baseUrlOf(config, BASE_URL)}/api/library/ask`,
      rewriteRequest: (body: Json, { other }) => ({ ...body, libraryId: other }),
    },
  },
})
