/** Anthropic. https://docs.anthropic.com/en/api/overview (read 2026-11) */
import { anthropic as messages } from '../formats/anthropic/index.ts'
import { ANTHROPIC_VERSION } from './kit/anthropic-headers.ts'
import { baseUrlOf, withVersion } from './kit/base-url.ts'
import { provider } from './kit/provider.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { fieldOf, idsIn, pagesFrom } from './kit/upstream-query.ts'

const BASE_URL = 'https://api.anthropic.com'
const PAGE_MAX = 1000

export const anthropic = provider({
  type: 14,
  label: 'Anthropic Claude',
  base_url: BASE_URL,
  key_format: 'sk-ant-…',
  // Exhausted credit is a 400. https://docs.anthropic.com/en/api/errors (read 2026-11)
  quirks: { retries_400: true, probe: { model: 'claude-haiku-4-5' } },
  own_api: { hosts: /(?:^|\.)anthropic\.com$/, fields: ['fallbacks', 'service_tier', 'speed', 'inference_geo'] },
  authorize: ({ key }) => ({ 'x-api-key': key, 'anthropic-version': ANTHROPIC_VERSION }),
  apis: { chat: { format: messages, url: config => `${rootOf(config)}/messages`, holds_threads: true } },
  // https://docs.anthropic.com/en/api/models-list (read 2026-11)
  *listModels(config) {
    const url = `${rootOf(config)}/models?limit=${PAGE_MAX}`
    return yield* pagesFrom(url, idsIn, body => {
      const last = fieldOf(body, 'has_more') === true && fieldOf(body, 'last_id')
      return last ? `${url}&after_id=${encodeURIComponent(String(last))}` : undefined
    })
  },
})

const rootOf = (config: UpstreamConfig) => withVersion(baseUrlOf(config, BASE_URL), '/v1')
