/** Completion ratios of model families, for models without an entry in `CompletionRatio`. */

/** A pattern of model names, and the price of output relative to input. */
export type Family = readonly [pattern: string, ratio: number]

/** The first matching pattern counts. A price version keeps them: with a changed one, older bills stay computable. */
export const completionFamilies: readonly Family[] = [
  ['^gpt-4.*-(all|gizmo-\\*)$', 2],
  ['^gpt-4o-2024-05-13', 3],
  ['^chatgpt-4o', 3],
  ['^gpt-4o-mini-tts', 20],
  ['^gpt-4o|^gpt-4\\.1', 4],
  ['^gpt-4\\.5', 2],
  ['^gpt-4-(turbo|1106|0125|vision)', 3],
  ['^gpt-4', 2],
  ['^gpt-3\\.5-turbo(-0125)?$', 3],
  ['^gpt-3\\.5.*-1106$', 2],
  ['^gpt-3\\.5', 1.3333333333333333],
  ['^gpt-5\\.4-nano', 6.25],
  ['^gpt-5\\.[4-9]', 6],
  ['^gpt-(5|image)', 8],
  ['^o[1-9]', 4],
  ['claude-(instant|2)', 3],
  ['claude', 5],
  ['^mistral-', 3],
  ['^gemini-(1|2\\.0)', 4],
  ['^gemini-2\\.5-pro', 8],
  ['^gemini-2\\.5-flash-preview.*-nothinking$', 4],
  ['^gemini-2\\.5-flash-preview', 23.333333333333332],
  ['^gemini-2\\.5-flash-lite', 4],
  ['^gemini-(2\\.5-flash|robotics-er-1\\.5)', 8.333333333333334],
  ['^gemini-3-pro-image', 60],
  ['^gemini-3', 6],
  ['^gemini', 4],
  ['^command-r$', 3],
  ['^command-r-plus$', 5],
  ['^command', 4],
  ['^(deepseek|DeepSeek)-(chat|coder|reasoner)$', 4],
  ['^grok-3-mini-fast', 6.666666666666667],
  ['^grok-3-mini', 1.6666666666666667],
  ['^grok-(2|3|4)', 5],
  ['^grok-(vision-)?beta', 3],
  ['^ERNIE-(Speed|Lite|Character|Functions)', 2],
  ['^llama2-70b-4096$', 1.25],
  ['^llama3-8b-8192$', 2],
  ['^llama3-70b-8192$', 1.3389830508474578],
]

/** @returns 1 for a model of no known family */
export const familyCompletionRatio = (model: string, families: readonly Family[]): number =>
  families.find(([pattern]) => new RegExp(pattern).test(model))?.[1] ?? 1
