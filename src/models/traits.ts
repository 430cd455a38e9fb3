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
  /** Hosted tools may stand beside functions. */
  mixes_tools: boolean
  /** A tool call that is sent back must carry a signature; a tool result may contain images. */
  signed_calls: boolean
  /** The only role that instructions may have; undefined when the model accepts `system` and `developer`. */
  instructions_role: 'developer' | 'user' | undefined
  /** The request has a place for instructions outside the conversation. */
  system: boolean
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
  /** Thinking can be turned off. */
  can_stop?: boolean
  /** The model thinks unless the request turns that off. */
  by_default?: true
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
  mixes_tools: false,
  signed_calls: false,
  instructions_role: undefined,
  system: true,
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

const thinkingBy = (...words: Effort[]) => ({ thinking: { efforts: words } })

const tables: Record<Maker, Row[]> = {
  openai: [
    [
      /^(?:o[13]-pro|o[34](?:-mini)?-deep-research|gpt-5(?:\.\d+)?-(?:pro|codex)|codex-mini|computer-use)/,
      { responses_only: true },
    ],
    [/^(?:o\d|gpt-5).*chat/, { thinking: undefined, sampling: 'all' }],
    [/^o1-(?:mini|preview)/, { instructions_role: 'user' }],
    [/^o\d/, { instructions_role: 'developer', ...thinkingBy('low', 'medium', 'high') }],
    [/^gpt-5-pro/, thinkingBy('high')],
    [/^gpt-5(?:\.1-codex-max|\.[2-9])/, thinkingBy('none', 'low', 'medium', 'high', 'xhigh')],
    [/^gpt-5\.1/, thinkingBy('none', 'low', 'medium', 'high')],
    [/^gpt-5\.[1-9]/, { sampling: 'without thinking' }],
    [/^gpt-5/, thinkingBy('minimal', 'low', 'medium', 'high')],
    [/^(?:o\d|gpt-5)/, { sampling: 'none', limit: 'max_completion_tokens' }],
    // https://platform.openai.com/docs/guides/tools-web-search (read 2026-11)
    [
      /^gpt-(?:oss|3|4(?![.o\d])|4\.1-nano|4\.5)|^o1|^o3-mini|chat|-(?:search|audio|realtime|transcribe|tts|image)/,
      { hosted: [] },
    ],
    [/^(?:gpt-|o\d|chatgpt-)/, { is_own: true, thinking: undefined }],
  ],
  anthropic: [
    // claude-opus-4-1-20250805, claude-sonnet-4.5: a date is no minor version.
    [/claude-(?<family>[a-z]+)-(?<major>\d)(?:[-.](?<minor>\d)(?!\d))?(?!\d)/, claude],
    // claude-3-5-sonnet-20241022
    [/claude-(?<major>\d)(?:[-.](?<minor>\d))?-(?<family>[a-z]+)/, claude],
    [/kimi-k\d[\w.]*-thinking$/, { named_thinking: true }],
    [/claude-(?:[12]|instant|3-(?:opus|sonnet|haiku))/, { hosted: [] }],
    [/claude-3[-.]5/, { hosted: ['web_search'] }],
  ],
  google: [
    [/tts|gemma|learnlm|gemini-1\.0|robotics/, { hosted: [] }],
    [/tts/, { output: 'audio' }],
    [/-image/, { hosted: ['web_search'] }],
    [/-image/, { output: 'image' }],
    [/gemma|gemini-1\.0/, { system: false }],
    [/gemini-(?:[3-9]|\d\d)/, { signed_calls: true, mixes_tools: true }],
    [/gemini-2\.5-flash-(?:image|preview-tts)/, { thinking: undefined }],
    [/gemini-2\.5-flash(?!-lite)/, { thinking: flash }],
    [/gemini-(?:[3-9]|\d\d).*pro/, thinkingBy('low', 'high')],
    [/gemini-(?:[3-9]|\d\d)/, thinkingBy('minimal', 'low', 'medium', 'high')],
    [/gemini-2\.5-pro/, { thinking: { budget: { min: 128, max: 32_768 } } }],
    [/gemini-2\.5-flash-lite/, { thinking: { budget: { min: 512, max: 24_576 }, can_stop: true } }],
    [/image|tts|audio|gemini-[12]\.|gemini-exp|gemma|learnlm/, { thinking: undefined }],
  ],
  xai: [
    [/^grok-3-mini/, { limit: 'max_completion_tokens' }],
    [/^grok-4(?:-|$)|-(?:non-)?reasoning$/, { thinking: {} }],
    [/^grok-(?:3-mini|4)(?!.*non-reasoning)/, { refused: ['stop', 'presence_penalty', 'frequency_penalty'] }],
  ],
  deepseek: [[/reasoner/, { thinking: { by_default: true } }]],
  moonshot: [[/thinking/, { thinking: { by_default: true } }]],
}

const byEffort: ThinkingTraits = { efforts: ['low', 'medium', 'high', 'xhigh', 'max'] }

function claude({ family, major, minor = '0' }: Record<string, string>): Partial<ModelTraits> {
  const version = Number(major) + Number(minor) / 10
  const isOpus = family === 'opus'
  const isAdaptive = version >= (isOpus ? 4.7 : 5)
  const isRecent = version >= (isOpus ? 4.1 : 4.5)
  return {
    thinking:
      version < 3.7 ? undefined : isAdaptive ? byEffort : { budget: anyBudget, ...(version >= 4.6 && byEffort) },
    schema: isRecent,
    strict_tools: isRecent,
    sampling: isAdaptive ? 'none' : isRecent ? 'temperature or top_p' : 'all',
  }
}
