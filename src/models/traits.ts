/**
 * What models accept, by name: one table per maker.
 * A wire format reads the table of its own maker for every model that it carries: other makers' models are served in
 * that format too, and have the defaults.
 * OpenAI: https://platform.openai.com/docs/models and https://platform.openai.com/docs/guides/reasoning
 * Anthropic: https://docs.anthropic.com/en/docs/about-claude/models/overview
 * Google: https://ai.google.dev/gemini-api/docs/models and https://ai.google.dev/gemini-api/docs/thinking
 * xAI: https://docs.x.ai/docs/models and https://docs.x.ai/docs/guides/reasoning
 * DeepSeek: https://api-docs.deepseek.com/guides/reasoning_model
 * Moonshot: https://platform.moonshot.cn/docs
 * (read 2026-11)
 */
import { type Effort, effortOf, efforts, isOff, nearest, type Reasoning } from './effort.ts'

export interface ModelTraits {
  /** The maker serves the model itself and refuses fields that it does not know. */
  is_own: boolean
  /** Undefined for a model that does not think. */
  thinking: ThinkingTraits | undefined
  /** Sampling parameters that the model accepts. */
  sampling: 'all' | 'temperature or top_p' | 'without thinking' | 'none'
  /** Other parameters that the model refuses. */
  refused: readonly string[]
  /** Parameter for the limit of output tokens. */
  limit: 'max_tokens' | 'max_completion_tokens'
  /** The output can be held to a JSON schema. */
  schema: boolean
  /** The arguments of a tool call can be held to the tool's schema. */
  strict_tools: boolean
  /** Tools that the maker runs itself, as the formats that several makers share name them. */
  hosted: readonly ('web_search' | 'code_execution')[]
  /** The request can force a tool call. */
  forces_tools: boolean
  /** Hosted tools may stand beside functions. */
  mixes_tools: boolean
  /** A tool call that is sent back must carry a signature; a tool result may contain images. */
  signed_calls: boolean
  /** The only role that instructions may have; undefined when the model accepts `system` and `developer`. */
  instructions_role: 'developer' | 'user' | undefined
  /** The request has a place for instructions outside the conversation. */
  system: boolean
  /** A conversation may end with the assistant, whose message the model continues. */
  prefill: boolean
  /** Media that the model produces beside text, or in place of it. */
  output: 'image' | 'audio' | undefined
  /** Only the Responses API serves the model. */
  responses_only: boolean
  /** The name ends in `-thinking`; elsewhere that suffix is the gateway's own and turns thinking on. */
  named_thinking: boolean
}

/** How a request controls thinking: by an effort, by a budget, by either, or (with neither) not at all. */
export interface ThinkingTraits {
  efforts?: readonly Effort[]
  /** Tokens. */
  budget?: { min: number; max: number }
  /** Thinking can be turned off; `false` where the request that does so is refused. */
  can_stop?: boolean
  /** The model thinks unless the request turns that off. */
  by_default?: true
  /** Messages with tool calls need their thoughts back, in every later turn. */
  replayed?: true
}

export type Maker = 'openai' | 'anthropic' | 'google' | 'xai' | 'deepseek' | 'moonshot'

/**
 * Every row whose pattern matches the name counts; of two that state the same trait, the first: rows apply in reverse.
 * @param maker whose table is read, see above
 */
export function traitsOf(model: string, maker: Maker): Readonly<ModelTraits> {
  const name = `${maker} ${model}`
  const known = memo.get(name)
  if (known) return known
  const traits: ModelTraits = { ...unknown, thinking: unknownThinking[maker] }
  for (const [pattern, stated] of tables[maker].toReversed()) {
    const match = pattern.exec(model)
    if (match) Object.assign(traits, typeof stated === 'function' ? stated(match.groups!) : stated)
  }
  if (memo.size === MEMO_MAX) memo.clear()
  memo.set(name, traits)
  return traits
}

/** Traits are read several times in a call; the tables are constants, so nothing invalidates them. */
const memo = new Map<string, ModelTraits>()
const MEMO_MAX = 1000

/** OpenAI's models that think: they take no sampling and count their thoughts into the limit of output tokens. */
export function isReasoningModel(model: string): boolean {
  const { is_own, thinking } = traitsOf(model, 'openai')
  return is_own && thinking !== undefined
}

/**
 * Whether `web_search_options` may be sent: of OpenAI's models, those for searches alone have it.
 * https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat (read 2026-11)
 */
export const searchesInChat = (model: string): boolean =>
  !traitsOf(model, 'openai').is_own || /-search-(?:preview|api)/.test(model)

/** The nearest effort that the model accepts in OpenAI's formats. @returns undefined when the request names none */
export function effortFor(model: string, reasoning: Reasoning | undefined): Effort | undefined {
  const effort = reasoning && effortOf(reasoning)
  const accepted = effort && traitsOf(model, 'openai').thinking?.efforts
  return accepted && nearest(effort, accepted)
}

/** Whether the model accepts sampling parameters and logprobs in OpenAI's formats, with this much thinking. */
export function takesSampling(model: string, reasoning: Reasoning | undefined): boolean {
  const { sampling } = traitsOf(model, 'openai')
  return sampling === 'all' || (sampling === 'without thinking' && reasoning !== undefined && isOff(reasoning))
}

const unknown: Omit<ModelTraits, 'thinking'> = {
  is_own: false,
  sampling: 'all',
  refused: [],
  limit: 'max_tokens',
  schema: false,
  strict_tools: true,
  hosted: ['web_search', 'code_execution'],
  forces_tools: true,
  mixes_tools: false,
  signed_calls: false,
  instructions_role: undefined,
  system: true,
  prefill: true,
  output: undefined,
  responses_only: false,
  named_thinking: false,
}

const anyBudget = { min: 1024, max: Number.POSITIVE_INFINITY }
const flash: ThinkingTraits = { budget: { min: 1, max: 24_576 }, can_stop: true }

const unknownThinking: Record<Maker, ThinkingTraits> = {
  openai: { efforts },
  anthropic: { budget: anyBudget },
  google: flash,
  xai: { efforts },
  deepseek: {},
  moonshot: {},
}

/** A function states the traits by what the pattern found in the name. */
type Row = [RegExp, Partial<ModelTraits> | ((groups: Record<string, string>) => Partial<ModelTraits>)]

const fixedSampling = ['temperature', 'top_p', 'n', 'presence_penalty', 'frequency_penalty']

const thinkingBy = (...words: Effort[]) => ({ thinking: { efforts: words } })

/** Google's aliases, such as `gemini-flash-latest`, are of the newest too. */
const sinceGemini3 = /gemini-(?!1(?!\d)|2(?!\d)|exp|embedding|robotics-er-1|pro$|pro-vision)/

/** A newer number of a family has the traits of the newest that is known. */
const tables: Record<Maker, Row[]> = {
  openai: [
    [
      /^(?:o\d+-pro|o\d+(?:-mini)?-deep-research|gpt-(?:[5-9]|\d\d)(?:\.\d+)?-(?:pro|codex)|codex-mini|computer-use)/,
      { responses_only: true },
    ],
    [/^o\d.*chat/, { thinking: undefined, sampling: 'all' }],
    [/^o1-(?:mini|preview)/, { instructions_role: 'user' }],
    [/^o\d/, { instructions_role: 'developer' }],
    [/^o\d/, { ...thinkingBy('low', 'medium', 'high'), sampling: 'none', limit: 'max_completion_tokens' }],
    [/^gpt-(?<major>\d+)(?:\.(?<minor>\d+))?(?<variant>.*)/, gpt],
    // Models for a trade have no number: they are made of the newest.
    [/^gpt-(?!oss|image|audio|realtime|live|transcribe|tts)[a-z]|^daybreak-/, newestGpt],
    // https://platform.openai.com/docs/guides/tools-web-search (read 2026-11)
    [
      /^gpt-(?:oss|3|4(?![.o\d])|4\.1-nano|4\.5)|^o1|^o3-mini|chat|-(?:search|audio|realtime|transcribe|tts|image)/,
      { hosted: [] },
    ],
    [/^(?:gpt-|o\d|chatgpt-|daybreak-)/, { is_own: true, thinking: undefined }],
  ],
  anthropic: [
    // claude-opus-4-1-20250805, claude-sonnet-4.5: a date is no minor version.
    [/claude-(?<family>[a-z]+)-(?<major>\d{1,2})(?:[-.](?<minor>\d{1,2})(?!\d))?(?!\d)/, claude],
    // claude-3-5-sonnet-20241022
    [/claude-(?<major>\d)(?:[-.](?<minor>\d))?-(?<family>[a-z]+)/, claude],
    [/kimi-k\d[\w.]*-thinking$/, { named_thinking: true }],
    [/claude-(?:[12]|instant|3-(?:opus|sonnet|haiku))/, { hosted: [], thinking: undefined }],
    [/claude-3[-.]5/, { hosted: ['web_search'] }],
    // A name without a version is of the newest.
    [/claude-(?<family>opus|sonnet|haiku|fable|mythos)/, ({ family }) => claude({ family: family!, major: '99' })],
  ],
  google: [
    [/tts|gemma|learnlm|gemini-1\.0|robotics/, { hosted: [] }],
    [/tts/, { output: 'audio' }],
    [/-image/, { hosted: ['web_search'] }],
    [/-image/, { output: 'image' }],
    [/gemma|gemini-1\.0/, { system: false }],
    [sinceGemini3, { signed_calls: true, mixes_tools: true }],
    [/gemini-2\.5-flash-(?:image|preview-tts)/, { thinking: undefined }],
    [/gemini-2\.5-flash(?!-lite)/, { thinking: flash }],
    [/gemini-3-pro/, thinkingBy('low', 'high')],
    [/gemini-3(?:\.[0-6])?-flash/, thinkingBy('minimal', 'low', 'medium', 'high')],
    [sinceGemini3, thinkingBy('low', 'medium', 'high')],
    [/gemini-2\.5-pro/, { thinking: { budget: { min: 128, max: 32_768 } } }],
    [/gemini-2\.5-flash-lite/, { thinking: { budget: { min: 512, max: 24_576 }, can_stop: true } }],
    [/image|tts|audio|gemini-[12]\.|gemini-exp|gemma|learnlm/, { thinking: undefined }],
  ],
  xai: [
    [/^grok-3-mini/, { limit: 'max_completion_tokens' }],
    [/^grok-(?:4(?:-|$)|code)|-(?:non-)?reasoning$/, { thinking: {} }],
    [
      /^grok-(?:3-mini|[4-9]|\d\d|build|code)(?!.*non-reasoning)/,
      { refused: ['stop', 'presence_penalty', 'frequency_penalty'] },
    ],
  ],
  // https://api-docs.deepseek.com/guides/thinking_mode (read 2026-11)
  deepseek: [
    [/reasoner/, { thinking: { by_default: true } }],
    [/^deepseek-(?:v(?:[4-9]|\d\d)|flash|pro)/, { thinking: { by_default: true, replayed: true } }],
  ],
  // https://platform.moonshot.ai/docs/guide/kimi-k3-quickstart (read 2026-11)
  moonshot: [
    [
      /kimi-k(?:[3-9]|\d\d)/,
      { thinking: { by_default: true, can_stop: false, efforts: ['low', 'high', 'max'] }, refused: fixedSampling },
    ],
    [/kimi-k2\.[7-9]/, { thinking: { by_default: true, can_stop: false }, refused: fixedSampling }],
    [/thinking|kimi-k2\.[56]/, { thinking: { by_default: true } }],
  ],
}

const versionOf = (major: string | undefined, minor: string | undefined): number =>
  Number(major) + Number(minor ?? 0) / 100

/** https://platform.openai.com/docs/guides/reasoning (read 2026-11) */
function gpt({ major, minor, variant = '' }: Record<string, string>): Partial<ModelTraits> {
  const version = versionOf(major, minor)
  if (version < 5) return {}
  const limit = 'max_completion_tokens'
  if (variant.includes('chat')) return { limit }
  const thinking = gptThinking(version, variant)
  return { limit, sampling: thinking.efforts?.includes('none') ? 'without thinking' : 'none', thinking }
}

function gptThinking(version: number, variant: string): ThinkingTraits {
  if (/^-pro/.test(variant)) return { efforts: version < 5.02 ? ['high'] : ['medium', 'high', 'xhigh'] }
  if (version < 5.01) return { efforts: ['minimal', 'low', 'medium', 'high'] }
  if (version < 5.02 && !variant.startsWith('-codex-max')) return { efforts: ['none', 'low', 'medium', 'high'] }
  if (version < 6) {
    const by_default = version < 5.05 ? undefined : true
    return { efforts: ['none', 'low', 'medium', 'high', 'xhigh'], ...(by_default && { by_default }) }
  }
  const canStop = /^-(?:luna|terra)/.test(variant) || (version === 6 && variant.startsWith('-sol'))
  return { efforts: [...(canStop ? (['none'] as const) : []), ...allEfforts], by_default: true }
}

const allEfforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const

function newestGpt(): Partial<ModelTraits> {
  return gpt({ major: '99' })
}

/** Models that always think accept no forced tool since Fable 5.1 and Opus 5.5. */
const [OPUS_ALWAYS_THINKS, ALWAYS_THINKS_UNFORCED] = [5.05, 5.01]

/**
 * https://platform.claude.com/docs/en/build-with-claude/effort and
 * https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5 (read 2026-11)
 */
function claude({ family, major, minor }: Record<string, string>): Partial<ModelTraits> {
  const version = versionOf(major, minor)
  const isOpus = family === 'opus'
  const isRecent = version >= (isOpus ? 4.01 : 4.05)
  const alwaysThinks = isOpus ? version >= OPUS_ALWAYS_THINKS : family === 'fable' || family === 'mythos'
  const isAdaptive = version >= (isOpus ? 4.07 : 5)
  return {
    thinking: claudeThinking(version, isAdaptive, alwaysThinks),
    forces_tools: !alwaysThinks || version < ALWAYS_THINKS_UNFORCED,
    schema: isRecent,
    strict_tools: isRecent,
    sampling: isAdaptive ? 'none' : isRecent ? 'temperature or top_p' : 'all',
    prefill: version < 4.06,
  }
}

function claudeThinking(version: number, isAdaptive: boolean, alwaysThinks: boolean): ThinkingTraits | undefined {
  if (version < 3.07) return undefined
  if (!isAdaptive)
    return { budget: anyBudget, ...(version >= 4.06 && { efforts: allEfforts.filter(word => word !== 'xhigh') }) }
  return { efforts: allEfforts, ...(version >= 5 && { by_default: true }), ...(alwaysThinks && { can_stop: false }) }
}
