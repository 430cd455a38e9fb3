/** Zhipu's API v3, retired. https://open.bigmodel.cn/dev/api#chatglm_turbo (read 2026-11) */
import { createHmac } from 'node:crypto'
import { zhipuV3 as chats } from '../formats/zhipu-v3/index.ts'
import { baseUrlOf } from './kit/base-url.ts'
import type { KeyFlaw } from './kit/key-shape.ts'
import { provider } from './kit/provider.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { zhipu } from './zhipu.ts'

const BASE_URL = 'https://open.bigmodel.cn'
const TOKEN_MS = 86_400_000

export const zhipuV3 = provider({
  type: 16,
  label: 'Zhipu ChatGLM',
  base_url: BASE_URL,
  key_format: 'id.secret',
  ended: { successor: zhipu.type },
  quirks: { probe: { model: 'chatglm_turbo' } },
  keyFlaw,
  authorize: ({ key, at_ms = 0 }) => ({ authorization: tokenOf(key, at_ms) }),
  variant: ({ model }) => (isSuccessors(model) ? zhipu : undefined),
  variants: [zhipu],
  apis: {
    chat: {
      format: chats,
      framing: 'raw_sse',
      url: (config, model, streamed) => urlOf(config, model, streamed ? 'sse-invoke' : 'invoke'),
    },
  },
})

/** Queries name no model: the successor lists its own. */
const isSuccessors = (model: string) => model === '' || /^(?:glm-|cog(?:view|tts)|embedding-|rerank)/.test(model)

function keyFlaw(key: string): KeyFlaw | undefined {
  const parts = key.split('.')
  return parts.length === 2 && parts.every(Boolean) ? undefined : 'key_parts'
}

const urlOf = (config: UpstreamConfig, model: string, method: string) =>
  `${baseUrlOf(config, BASE_URL)}/api/paas/v3/model-api/${encodeURIComponent(model)}/${method}`

/** A JWT with times in milliseconds, without the word Bearer. https://open.bigmodel.cn/dev/api#nosdk (read 2026-11) */
function tokenOf(key: string, at_ms: number): string {
  const [api_key = '', secret = ''] = key.split('.')
  const header = encoded({ alg: 'HS256', sign_type: 'SIGN' })
  const payload = encoded({ api_key, exp: at_ms + TOKEN_MS, timestamp: at_ms })
  const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')
  return `${header}.${payload}.${signature}`
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
