/**
 * Anthropic's Messages API at providers that have it beside their own chat API.
 * https://docs.anthropic.com/en/api/messages (read 2026-11)
 */
import { anthropic } from '../../formats/anthropic/index.ts'
import { ANTHROPIC_VERSION } from './anthropic-headers.ts'
import { baseUrlOf } from './base-url.ts'
import type { AnthropicApi } from './provider.ts'
import type { Quirks } from './quirks.ts'

/** Where the provider's own chat API begins; the Messages API stands beside it, under any base URL. */
const CHAT_ROOT = /(?:\/api(?:\/coding)?\/paas)?\/v\d+$/

/** @param models names of the models that it serves */
export const anthropicApi = (own: string, path: string, models: RegExp, quirks: Quirks = {}): AnthropicApi => ({
  format: anthropic,
  models,
  url: config => `${baseUrlOf(config, own).replace(CHAT_ROOT, '')}${path}/v1/messages`,
  headers: { 'anthropic-version': ANTHROPIC_VERSION },
  ...quirks,
})
