/**
 * Models that think more than they show, and how fast.
 * OpenAI: https://platform.openai.com/docs/guides/reasoning (thoughts are never shown, summaries are)
 * Anthropic: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking (summaries, or `display: omitted`)
 * Google: https://ai.google.dev/gemini-api/docs/thinking (summaries with `includeThoughts`)
 * xAI: https://docs.x.ai/docs/guides/reasoning (only grok-3-mini shows its thoughts)
 * (read 2026-11)
 */
import { budgetOf, type Effort } from './effort.ts'
import { type Maker, traitsOf } from './traits.ts'

export interface RequestedThinking {
  effort?: Effort
  /** The most tokens to think with; 0 turns thinking off. */
  budget?: number
  /** The request turns thinking on, with or without figures. */
  is_on?: boolean
}

interface Family {
  names: RegExp
  maker: Maker
  /** Thinks although the request does not say so. */
  by_default: (model: string) => boolean
  /** Output tokens a second, by size of the model: the first that matches. */
  speeds: [RegExp, number][]
}

/** Tokens a second, rather too few than too many: an estimate must not exceed what a report would say. */
const [SLOW, USUAL, FAST] = [40, 60, 100]

const families: Family[] = [
  {
    names: /^(?:o\d|gpt-(?:[5-9]|\d\d))/,
    maker: 'openai',
    // The first models that can be asked for no thinking do not think unless asked.
    by_default: model => {
      const { efforts, by_default } = traitsOf(model, 'openai').thinking ?? {}
      return by_default ?? !efforts?.includes('none')
    },
    speeds: [
      [/pro/, SLOW],
      [/mini|nano/, FAST],
    ],
  },
  {
    names: /claude/,
    maker: 'anthropic',
    by_default: model => model.endsWith('-thinking') || traitsOf(model, 'anthropic').thinking?.by_default === true,
    speeds: [
      [/opus/, SLOW],
      [/haiku/, FAST],
    ],
  },
  { names: /^gemini/, maker: 'google', by_default: model => !/2\.5-flash-lite/.test(model), speeds: [[/flash/, FAST]] },
  { names: /^grok-(?:[4-9]|\d\d)(?!.*non-reasoning)/, maker: 'xai', by_default: () => true, speeds: [[/fast/, FAST]] },
]

/** Hosts of many makers' models put the maker before a slash. */
const baseOf = (model: string) => model.slice(model.lastIndexOf('/') + 1)

const familyOf = (model: string): Family | undefined => families.find(({ names }) => names.test(model))

/** Estimated tokens a second. @returns undefined for a model that shows all that it thinks */
export function thinkingSpeed(name: string): number | undefined {
  const model = baseOf(name)
  const family = familyOf(model)
  return family && (family.speeds.find(([size]) => size.test(model))?.[1] ?? USUAL)
}

export function thinksUnseen(name: string, requested: RequestedThinking): boolean {
  const model = baseOf(name)
  const family = familyOf(model)
  if (!family || !traitsOf(model, family.maker).thinking) return false
  const budget = budgetOf(requested)
  // The smallest effort has no budget of its own, and still thinks.
  if (requested.effort === 'none' || (budget === 0 && !requested.effort)) return false
  return requested.is_on || budget !== undefined || family.by_default(model)
}
