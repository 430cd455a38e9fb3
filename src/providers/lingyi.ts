/** Lingyi Wanwu (01.AI). https://platform.lingyiwanwu.com/docs (read 2026-11) */
import { withMaxTokens } from './kit/json-edits.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'

export const lingyi = openAiCompatible({
  type: 31,
  label: 'Lingyi Wanwu',
  base_url: 'https://api.lingyiwanwu.com',
  key_format: '',
  stream_usage: false,
  quirks: { probe: { model: 'yi-spark' } },
  apis: { chat: { rewriteRequest: withMaxTokens } },
})
