/** Every upstream format with a model of its maker, and what that maker refuses. */
import type { TranslatedUpstream } from '../../../src/formats/format.ts'
import { chatFormats } from '../../../src/formats/index.ts'
import { upstreamWires } from '../wire/upstreams.ts'
import { anthropicFlaw } from './anthropic.ts'
import { geminiFlaw } from './gemini.ts'
import { openAiChatFlaw } from './openai-chat.ts'
import { openAiResponsesFlaw } from './openai-responses.ts'
import type { BodyRule } from './rule.ts'
import { upstreamFlaws } from './upstream-only.ts'

export interface StrictUpstream {
  title: string
  format: TranslatedUpstream
  model: string
  flawOf: BodyRule
}

const own = (name: keyof typeof chatFormats, model: string, flawOf: BodyRule): StrictUpstream => ({
  title: `${name} (${model})`,
  format: chatFormats[name],
  model,
  flawOf,
})

export const strictUpstreams: readonly StrictUpstream[] = [
  own('openai-chat', 'gpt-4o', openAiChatFlaw),
  own('openai-chat', 'gpt-5.1', openAiChatFlaw),
  own('openai-responses', 'gpt-5.1', openAiResponsesFlaw),
  own('anthropic', 'claude-sonnet-4-5', anthropicFlaw),
  own('anthropic', 'claude-opus-4-7', anthropicFlaw),
  own('gemini', 'gemini-2.5-pro', geminiFlaw(false)),
  own('gemini', 'gemini-3-pro-preview', geminiFlaw(true)),
  ...upstreamWires.map(({ title, format, model }) => ({ title, format, model, flawOf: upstreamFlaws[format.name]! })),
]
