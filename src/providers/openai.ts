/** OpenAI, and gateways of many kinds under its name. https://platform.openai.com/docs/api-reference (read 2026-11) */
import { isCloudflare, withVersion } from './kit/base-url.ts'
import { openAiBalance } from './kit/openai-balance.ts'
import {
  OPENAI_FIELDS,
  openAiCompatible,
  openAiTariffFields,
  operations,
  standardApis,
} from './kit/openai-compatible.ts'
import { openAiVideos } from './videos/openai.ts'

const BASE_URL = 'https://api.openai.com'

export const openAi = openAiCompatible({
  type: 1,
  label: 'OpenAI',
  base_url: BASE_URL,
  developer_role: true,
  tariff_fields: openAiTariffFields,
  own_api: { hosts: /(?:^|\.)api\.openai\.com$/, fields: OPENAI_FIELDS },
  url: (base, path) => (isCloudflare(base) ? base : withVersion(base, '/v1')) + path,
  quirks: { probe: { model: 'gpt-4o-mini' } },
  apis: standardApis(...operations),
  videos: openAiVideos(BASE_URL),
  balance: openAiBalance(BASE_URL),
})
