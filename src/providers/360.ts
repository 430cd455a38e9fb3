/** 360 Zhinao. https://ai.360.com (read 2026-11) */
import { withoutEncoding } from './embeddings.ts'
import { withMaxTokens } from './json-edits.ts'
import { openAiCompatible } from './openai-compatible.ts'

export const ai360 = openAiCompatible({
  type: 19,
  label: '360',
  base_url: 'https://api.360.cn',
  key_format: '',
  stream_usage: false,
  quirks: { probe: { model: '360gpt-turbo' } },
  apis: { chat: { rewriteRequest: withMaxTokens }, embeddings: { rewriteRequest: withoutEncoding } },
})
