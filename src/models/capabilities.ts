/**
 * What models take beside text, and whether they think, by name.
 * OpenAI: https://platform.openai.com/docs/models
 * Anthropic: https://platform.claude.com/docs/en/build-with-claude/vision
 * Google: https://ai.google.dev/gemini-api/docs/models
 * xAI: https://docs.x.ai/docs/models
 * Moonshot: https://platform.moonshot.ai/docs/guide/use-kimi-vision-model
 * GLM: https://docs.z.ai/guides/overview/overview
 * Mistral: https://docs.mistral.ai/getting-started/models/models_overview
 * Qwen: https://help.aliyun.com/zh/model-studio/models
 * Amazon Nova: https://docs.aws.amazon.com/nova/latest/userguide/what-is-nova.html
 * (read 2026-11)
 */
import { kindOf } from './kinds.ts'
import { type Maker, traitsOf } from './traits.ts'

export const CAPABILITIES = ['image_input', 'audio_input', 'reasoning'] as const
export type Capability = (typeof CAPABILITIES)[number]

/** The first pattern that matches counts. */
const rows: readonly [pattern: RegExp, inputs: readonly ('image_input' | 'audio_input')[]][] = [
  [/whisper|transcribe|-asr(?:-|$)|^paraformer|^sensevoice|voxtral/, ['audio_input']],
  [/realtime-(?:[2-9]|\d\d)|gpt-realtime/, ['image_input', 'audio_input']],
  [/gpt-4o(?:-mini)?-(?:audio|realtime)|gpt-audio|realtime/, ['audio_input']],
  [
    /tts|gemma-3-1b|gpt-4-turbo-preview|gpt-4o(?:-mini)?-search|gpt-oss|(?:^|[^a-z])o1-(?:mini|preview)|(?:^|[^a-z])o3-mini/,
    [],
  ],
  [
    /gpt-4o|chatgpt-4o|gpt-4\.[15]|gpt-4-(?:turbo|vision)|gpt-(?:[5-9]|\d\d)|(?:^|[^a-z])o[1-9]|codex-mini/,
    ['image_input'],
  ],
  [/claude-(?:2|instant)/, []],
  [/claude/, ['image_input']],
  [/gemini|gemma-3n/, ['image_input', 'audio_input']],
  [/gemma-(?:[3-9]|\d\d)/, ['image_input']],
  [/omni/, ['image_input', 'audio_input']],
  [/vision|pixtral|qvq|(?:^|[-/])vl(?:[-/.]|\d|$)|\dvl|glm-\d(?:\.\d)?v/, ['image_input']],
  [/grok-code|grok-build/, []],
  [/grok-(?:[4-9]|\d\d)/, ['image_input']],
  [/kimi-(?:k2\.[5-9]|k[3-9]|latest)|llama-4/, ['image_input']],
  [/mistral-(?:small|medium)-(?:latest|3|25(?:0[3-9]|1)|2[6-9])/, ['image_input']],
  [/nova-(?:lite|pro|premier)/, ['image_input']],
]

/** Makers whose tables of traits know which of their models think. */
const makers: [pattern: RegExp, maker: Maker][] = [
  [/claude/, 'anthropic'],
  [/gemini(?!.*tts)/, 'google'],
  [/gpt-|codex|(?:^|[^a-z])o\d/, 'openai'],
]
const thinkers =
  /thinking|reason|(?:^|-)r1|qwq|qvq|magistral|glm-(?:4\.[5-9]|[5-9])|sonar-deep|grok-(?:3-mini|[4-9]|latest)|deepseek-v(?:3\.[1-9]|[4-9])|kimi-k(?:2\.[5-9]|[3-9])/

/** Those that are known; of chat and audio models alone. */
export function capabilitiesOf(model: string): Capability[] {
  const name = model.toLowerCase().replace(/^.*\//, '')
  const kind = kindOf(name)
  if (kind !== 'chat' && kind !== 'audio') return []
  const inputs = rows.find(([pattern]) => pattern.test(name))?.[1] ?? []
  return [...inputs, ...(thinks(name) ? (['reasoning'] as const) : [])]
}

function thinks(name: string): boolean {
  if (/non-reasoning|no-?thinking/.test(name)) return false
  if (thinkers.test(name)) return true
  const maker = makers.find(([pattern]) => pattern.test(name))?.[1]
  const traits = maker && traitsOf(name, maker)
  return traits?.thinking !== undefined && (maker !== 'openai' || traits.is_own)
}
