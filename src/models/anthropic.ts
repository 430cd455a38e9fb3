/** How Anthropic's models differ in what they take. */
export interface Traits {
  /** The most output tokens of one answer, where the caller names no limit. */
  max_output: number
  /** `budget`: so many tokens; `adaptive`: no number can be given, only an effort. */
  thinking: 'none' | 'budget' | 'both' | 'adaptive'
  /** Whether the answer can be held to a JSON schema. */
  schema: boolean
  /** Whether a tool may ask that its arguments are held to theirs. */
  strict_tools: boolean
  sampling: 'all' | 'temperature or top_p' | 'none'
}

const DEFAULT_OUTPUT = 8192

/** Models of others who speak this format. */
const unknown: Traits = {
  max_output: DEFAULT_OUTPUT,
  thinking: 'budget',
  schema: false,
  strict_tools: true,
  sampling: 'all',
}

export function traitsOf(model: string): Traits {
  const found = newName.exec(model)?.groups ?? oldName.exec(model)?.groups
  if (!found) return unknown
  const version = Number(found.major) + Number(found.minor ?? 0) / 10
  const isOpus = found.family === 'opus'
  const isAdaptive = version >= (isOpus ? 4.7 : 5)
  const canHold = version >= (isOpus ? 4.1 : 4.5)
  return {
    max_output: version < 3.5 ? 4096 : DEFAULT_OUTPUT,
    thinking: isAdaptive ? 'adaptive' : version >= 4.6 ? 'both' : version >= 3.7 ? 'budget' : 'none',
    schema: canHold,
    strict_tools: canHold,
    sampling: isAdaptive ? 'none' : version >= (isOpus ? 4.1 : 4.5) ? 'temperature or top_p' : 'all',
  }
}

/** claude-opus-4-1-20250805, claude-sonnet-4.5: a date is not a minor version. */
const newName = /claude-(?<family>[a-z]+)-(?<major>\d)(?:[-.](?<minor>\d)(?!\d))?(?!\d)/
/** claude-3-5-sonnet-20241022 */
const oldName = /claude-(?<major>\d)(?:[-.](?<minor>\d))?-(?<family>[a-z]+)/
