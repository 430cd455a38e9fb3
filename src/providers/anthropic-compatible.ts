/** Anthropic's messages at those who have them beside their own chats: its clients' words need no translation there. */
import { anthropic } from '../formats/anthropic/index.ts'
import { ANTHROPIC_VERSION } from './anthropic.ts'
import { baseOf } from './base-url.ts'
import type { AnthropicApi, Quirks } from './provider.ts'

/** Where the provider's own chats begin: the mirror stands beside that, under any address. */
const ROOT = /(?:\/api(?:\/coding)?\/paas)?\/v\d+$/

export const anthropicApi = (home: string, path: string, models: RegExp, habits: Quirks = {}): AnthropicApi => ({
  format: anthropic,
  models,
  url: line => `${baseOf(line, home).replace(ROOT, '')}${path}/v1/messages`,
  headers: { 'anthropic-version': ANTHROPIC_VERSION },
  ...habits,
})
