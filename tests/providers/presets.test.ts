// @engine sqlite
/** The addresses that the drawer offers lead to the APIs that their plans have. */
import { expect, test } from 'bun:test'
import { endsInVersion } from '../../src/contracts/base-url.ts'
import { anthropic } from '../../src/formats/anthropic/index.ts'
import { buildRequest, passedApi, pickApi, providerOf, providers } from '../../src/providers/index.ts'

const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] }

const cases: [type: number, base_url: string, chats: string, messages: string, model: string][] = [
  [
    26,
    'https://open.bigmodel.cn/api/coding/paas/v4',
    'https://open.bigmodel.cn/api/coding/paas/v4/chat/completions',
    'https://open.bigmodel.cn/api/anthropic/v1/messages',
    'glm-5',
  ],
  [
    26,
    'https://api.z.ai/api/coding/paas/v4',
    'https://api.z.ai/api/coding/paas/v4/chat/completions',
    'https://api.z.ai/api/anthropic/v1/messages',
    'glm-5',
  ],
  [
    25,
    'https://api.kimi.com/coding',
    'https://api.kimi.com/coding/v1/chat/completions',
    'https://api.kimi.com/coding/v1/messages',
    'kimi-for-coding',
  ],
  [
    25,
    'https://api.moonshot.ai',
    'https://api.moonshot.ai/v1/chat/completions',
    'https://api.moonshot.ai/anthropic/v1/messages',
    'kimi-k2',
  ],
  [
    35,
    'https://api.minimax.io',
    'https://api.minimax.io/v1/text/chatcompletion_v2',
    'https://api.minimax.io/anthropic/v1/messages',
    'MiniMax-M2',
  ],
]

test.each(cases)(
  'type %p with base URL %p sends chats to %p and messages to %p',
  (type, base_url, chats, messages, model) => {
    const provider = providerOf(type)!
    expect(provider.presets?.map(preset => preset.base_url)).toContain(base_url)
    const config = { base_url, key: 'id.secret' }
    const urls = [undefined, anthropic].map(client => {
      const api = pickApi(provider, { operation: 'chat', model, config, client })!
      return buildRequest(passedApi(api), config, model, body).url
    })
    expect(urls).toEqual([chats, messages])
  },
)

test('the coding plan of Ark has its chats below its own path', () => {
  const [preset] = providerOf(45)!.presets!
  const config = { base_url: preset!.base_url, key: 'k' }
  const api = pickApi(providerOf(45)!, { operation: 'chat', model: 'm', config })!
  expect(buildRequest(passedApi(api), config, 'm', body).url).toBe(
    'https://ark.cn-beijing.volces.com/api/coding/v3/chat/completions',
  )
})

test('no address that the drawer offers is questioned for its version', () => {
  const offered = providers.flatMap(({ presets = [] }) => presets.map(preset => preset.base_url))
  expect(offered.filter(endsInVersion)).toEqual([])
})
