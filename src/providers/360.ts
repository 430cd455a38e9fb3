/** 360 Zhinao. https://ai.360.com (read 2026-11) */
import { withoutEncoding } from './kit/embeddings.ts'
import { withMaxTokens } from './kit/json-edits.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'

export const ai360 = openAiCompatible({
  type: 19,
  label: '360',
  base_url: 'https://api.360.cn',
  key_format: '',
  stream_usage: false,
  quirks: { probe: { model: '360gpt-turbo' } },
  apis: { chat: { rewriteRequest: withMaxTokens }, embeddings: { rewriteRequest: withoutEncoding } },
})
