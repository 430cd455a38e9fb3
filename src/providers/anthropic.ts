/** Anthropic's Claude. */
import { anthropic as messages } from '../formats/anthropic/index.ts'
import { modelsOf } from '../models/models.ts'
import { baseOf, under } from './base-url.ts'
import type { Provider } from './provider.ts'
import { fieldOf, idsIn, pagesFrom } from './upstream-query.ts'

const HOME = 'https://api.anthropic.com'
export const ANTHROPIC_VERSION = '2023-06-01'
const LIST_MAX = 1000

export const anthropic: Provider = {
  type: 14,
  label: 'Anthropic Claude',
  base_url: HOME,
  key_format: 'sk-ant-…',
  many_keys: true,
  stream_usage: false,
  models: modelsOf(14),
  authorize: ({ key }) => ({ 'x-api-key': key, 'anthropic-version': ANTHROPIC_VERSION }),
  apis: { chat: { format: messages, url: line => `${under(baseOf(line, HOME), '/v1')}/messages` } },
  *listModels(line) {
    const list = `${under(baseOf(line, HOME), '/v1')}/models?limit=${LIST_MAX}`
    return yield* pagesFrom(list, idsIn, answer => {
      const last = fieldOf(answer, 'has_more') === true && fieldOf(answer, 'last_id')
      return last ? `${list}&after_id=${encodeURIComponent(String(last))}` : undefined
    })
  },
}
