/** Tencent TokenHub: models of several makers in OpenAI's and Anthropic's formats. https://cloud.tencent.com/document/product/1823 (read 2026-11) */
import { anthropicApi } from '../kit/anthropic-compatible.ts'
import { baseUrlOf, withoutVersion, withVersion } from '../kit/base-url.ts'
import { openAiCompatible, standardApis } from '../kit/openai-compatible.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'

export const TOKENHUB_URL = 'https://tokenhub.tencentmaas.com'
export const TOKENHUB_ABROAD_URL = 'https://tokenhub-intl.tencentcloudmaas.com'

/** Hosts of the signed API, which know no keys of one part. */
const signedHost = /^https:\/\/hunyuan\.[\w.-]*tencentcloudapi\.com\/*$/

const baseOf = (config: UpstreamConfig): UpstreamConfig =>
  signedHost.test(config.base_url) ? { ...config, base_url: '' } : config

const messages = anthropicApi(TOKENHUB_URL, '', /./)

export const tokenHub = openAiCompatible({
  type: 23,
  label: 'Tencent Hunyuan',
  base_url: TOKENHUB_URL,
  url: (_, path, _model, config) => `${withVersion(baseUrlOf(baseOf(config), TOKENHUB_URL), '/v1')}${path}`,
  apis: standardApis('chat', 'responses', 'embeddings'),
  anthropic_api: {
    ...messages,
    url: config => `${withoutVersion(baseUrlOf(baseOf(config), TOKENHUB_URL))}/v1/messages`,
  },
})
