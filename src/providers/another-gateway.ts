/**
 * Another gateway: every operation under OpenAI's paths, and each chat format as it comes, under its own path with the
 * key in its own header. https://docs.newapi.pro/en/docs/api and https://github.com/Wei-Shaw/sub2api (read 2026-11)
 */
import { anthropic } from '../formats/anthropic/index.ts'
import { gemini } from '../formats/gemini/index.ts'
import { ANTHROPIC_VERSION } from './kit/anthropic-headers.ts'
import { baseUrlOf, modelInPath, withoutVersion, withVersion } from './kit/base-url.ts'
import { openAiBalance } from './kit/openai-balance.ts'
import { openAiCompatible, operations, standardApis } from './kit/openai-compatible.ts'
import { type Provider, provider } from './kit/provider.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { openAiVideos } from './videos/openai.ts'

interface Gateway {
  type: number
  label: string
}

function anotherGateway(gateway: Gateway): Provider {
  const shared = { ...gateway, key_format: 'sk-…', quirks: { key_hint: 'gateway' } } as const
  const messages = messagesOf(shared)
  const contents = contentsOf(shared)
  return openAiCompatible({
    ...shared,
    // The other gateway knows what its upstreams accept.
    developer_role: true,
    apis: standardApis(...operations),
    videos: openAiVideos(),
    variants: [messages, contents],
    variant({ operation, client }) {
      if (operation !== 'chat') return undefined
      if (client?.name === anthropic.name) return messages
      return client?.name === gemini.name ? contents : undefined
    },
    balance: openAiBalance(''),
  })
}

/** A gateway without Anthropic's API gets the same chat in OpenAI's format. */
const messagesOf = (gateway: Gateway): Provider =>
  provider({
    ...gateway,
    authorize: ({ key }) => ({ 'x-api-key': key }),
    anthropic_api: {
      format: anthropic,
      models: /./,
      url: config => `${withVersion(baseUrlOf(config), '/v1')}/messages`,
      headers: { 'anthropic-version': ANTHROPIC_VERSION },
    },
  })

const contentsOf = (gateway: Gateway): Provider =>
  provider({
    ...gateway,
    authorize: ({ key }) => ({ 'x-goog-api-key': key }),
    apis: { chat: { format: gemini, url: contentUrl } },
  })

const contentUrl = (config: UpstreamConfig, model: string, streamed: boolean): string =>
  `${withoutVersion(baseUrlOf(config))}/v1beta/models/${modelInPath(model)}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`

export const sub2Api = anotherGateway({ type: 59, label: 'Sub2API' })
export const newApi = anotherGateway({ type: 60, label: 'new-api' })
