/** Anthropic's Claude. */
import { anthropic as messages } from '../codecs/anthropic/index.ts'
import { baseOf, under } from './address.ts'
import { asking, idsIn } from './inquiry.ts'
import { listed } from './models.ts'
import type { Provider } from './provider.ts'

const HOME = 'https://api.anthropic.com'
const VERSION = '2023-06-01'
const LIST_MAX = 1000

export const anthropic: Provider = {
  type: 14,
  label: 'Anthropic Claude',
  base_url: HOME,
  key_format: 'sk-ant-…',
  many_keys: true,
  stream_usage: false,
  models: listed(14),
  authorize: ({ key }) => ({ 'x-api-key': key, 'anthropic-version': VERSION }),
  speaks: { chat: { codec: messages, url: line => `${under(baseOf(line, HOME), '/v1')}/messages` } },
  listModels: asking(line => `${under(baseOf(line, HOME), '/v1')}/models?limit=${LIST_MAX}`, idsIn),
}
