// @engine sqlite
/** URLs of calls by channel type, with the provider’s base URL and with the channel’s own. */
import { expect, test } from 'bun:test'
import { type Operation, providerOf, providers } from '../../src/providers/index.ts'
import { requestFor } from '../support/upstream/request.ts'

const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

const urlOf = (type: number, fields: object = {}, operation: Operation = 'chat', model = 'm') =>
  requestFor({ type, base_url: '', key: 'sk-1', ...fields }, operation, model, { ...body, model })?.url

const own: [type: number, url: string][] = [
  [1, 'https://api.openai.com/v1/chat/completions'],
  [4, 'http://localhost:11434/v1/chat/completions'],
  [19, 'https://api.360.cn/v1/chat/completions'],
  [20, 'https://openrouter.ai/api/v1/chat/completions'],
  [22, 'https://fastgpt.run/api/openapi/v1/chat/completions'],
  [25, 'https://api.moonshot.cn/v1/chat/completions'],
  [26, 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
  [31, 'https://api.lingyiwanwu.com/v1/chat/completions'],
  [35, 'https://api.minimax.chat/v1/text/chatcompletion_v2'],
  [40, 'https://api.siliconflow.cn/v1/chat/completions'],
  [42, 'https://api.mistral.ai/v1/chat/completions'],
  [43, 'https://api.deepseek.com/v1/chat/completions'],
  [45, 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
  [46, 'https://qianfan.baidubce.com/v2/chat/completions'],
  [48, 'https://api.x.ai/v1/chat/completions'],
  [49, 'https://models.github.ai/inference/chat/completions'],
]
test.each(own)('type %i: without a base URL, chats go to %s', (type, url) => {
  expect(urlOf(type)).toBe(url)
})

const given: [type: number, fields: object, url: string][] = [
  // A base URL that ends in a version keeps it.
  [26, { base_url: 'https://api.z.ai/api/coding/paas/v4' }, 'https://api.z.ai/api/coding/paas/v4/chat/completions'],
  [45, { base_url: 'https://a.example/api/v3/' }, 'https://a.example/api/v3/chat/completions'],
  [46, { base_url: 'https://a.example/v2' }, 'https://a.example/v2/chat/completions'],
  [
    3,
    { base_url: 'https://me.openai.azure.com', other: '2024-10-21' },
    'https://me.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21',
  ],
  [
    3,
    { base_url: 'https://gateway.ai.cloudflare.com/v1/x/y/azure-openai/me' },
    'https://gateway.ai.cloudflare.com/v1/x/y/azure-openai/me/m/chat/completions?api-version=2024-12-01-preview',
  ],
  // Cloudflare's gateway drops the version for OpenAI only.
  [
    14,
    { base_url: 'https://gateway.ai.cloudflare.com/v1/x/y/anthropic' },
    'https://gateway.ai.cloudflare.com/v1/x/y/anthropic/v1/messages',
  ],
  [
    42,
    { base_url: 'https://gateway.ai.cloudflare.com/v1/x/y/mistral' },
    'https://gateway.ai.cloudflare.com/v1/x/y/mistral/v1/chat/completions',
  ],
  [24, { base_url: 'https://a.example/v1beta' }, 'https://a.example/v1beta/models/m:generateContent'],
  [24, { base_url: 'https://a.example', other: 'v1' }, 'https://a.example/v1/models/m:generateContent'],
  [49, { other: 'my-org' }, 'https://models.github.ai/orgs/my-org/inference/chat/completions'],
  [49, { base_url: 'https://models.inference.ai.azure.com' }, 'https://models.inference.ai.azure.com/chat/completions'],
  [49, { base_url: 'https://a.example' }, 'https://a.example/v1/chat/completions'],
]
test.each(given)('type %i: with %p, chats go to %s', (type, fields, url) => {
  expect(urlOf(type, fields)).toBe(url)
})

test('an API with a root of its own keeps it under every base URL', () => {
  expect(urlOf(43, {}, 'completions')).toBe('https://api.deepseek.com/beta/completions')
  expect(urlOf(43, { base_url: 'https://a.example/v1' }, 'completions')).toBe('https://a.example/beta/completions')
  expect(urlOf(4, { base_url: 'http://a.example/v1' }, 'embeddings')).toBe('http://a.example/api/embed')
  expect(urlOf(1, {}, 'realtime', 'gpt-4o-realtime')).toBe('https://api.openai.com/v1/realtime?model=gpt-4o-realtime')
  expect(urlOf(3, { base_url: 'https://me.openai.azure.com' }, 'realtime', 'talk')).toBe(
    'https://me.openai.azure.com/openai/realtime?api-version=2024-12-01-preview&deployment=talk',
  )
})

const needsBaseUrl = [2, 3, 5, 8, 36, 47, 55, 59, 60]
test('every available provider has a base URL or requires one', () => {
  for (const { type, base_url, apis, quirks } of providers) {
    const hasHost = quirks.host_by_region || quirks.host_by_setting
    if (Object.keys(apis).length && !hasHost && !needsBaseUrl.includes(type))
      expect(base_url, String(type)).not.toBe('')
  }
  for (const type of needsBaseUrl) expect(providerOf(type)!.base_url).toBe('')
})
