/** What models take beside text, by name. */
import { expect, test } from 'bun:test'
import { capabilitiesOf } from '../../src/models/capabilities.ts'

test.each([
  ['gpt-4o', ['image_input']],
  ['openai/gpt-5-mini', ['image_input', 'reasoning']],
  ['gpt-5-chat-latest', ['image_input']],
  ['o3-mini-high', ['reasoning']],
  ['gpt-4o-audio-preview', ['audio_input']],
  ['gpt-realtime', ['image_input', 'audio_input']],
  ['whisper-1', ['audio_input']],
  ['claude-opus-4-8', ['image_input', 'reasoning']],
  ['claude-3-5-haiku-20241022', ['image_input']],
  ['gemini-2.5-flash', ['image_input', 'audio_input', 'reasoning']],
  ['grok-4.20-non-reasoning', ['image_input']],
  ['kimi-k2.5', ['image_input', 'reasoning']],
  ['glm-4.5v', ['image_input', 'reasoning']],
  ['qwen3-vl-plus', ['image_input']],
  ['deepseek-r1', ['reasoning']],
] as const)('%s has %j', (model, capabilities) => {
  expect(capabilitiesOf(model)).toEqual([...capabilities])
})

test.each([
  ...['claude-2.1', 'gpt-3.5-turbo', 'gpt-4-0613', 'deepseek-chat', 'gpt-4o-mini-tts', 'gemini-2.5-pro-preview-tts'],
  ...['gpt-image-1', 'text-embedding-3-large', 'mj_imagine', 'a-model-of-tomorrow', 'grok-2'],
])('%s has none that is known', model => {
  expect(capabilitiesOf(model)).toEqual([])
})
