/**
 * What the models of Converse accept, by name.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html and
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html (read 2026-11)
 */

export interface ConverseTraits {
  /** The output and the arguments of tools can be held to a JSON schema. */
  schema: boolean
  /** Choices of tools besides the model's own. */
  tool_choice: 'any' | 'all' | 'none'
  /** The prompt can be cached up to a point: in the system prompt and messages, or after tools as well. */
  cache: 'prompt' | 'tools' | undefined
  /** How the effort to think with is named. */
  thinking: 'effort' | 'reasoning_config' | undefined
  /** A tool result can be marked as an error. */
  result_status: boolean
  /** Where the field `top_k` stands among the fields of the model itself. */
  top_k: 'top' | 'inferenceConfig'
  stops: boolean
  system: boolean
}

const unknown: ConverseTraits = {
  schema: false,
  tool_choice: 'all',
  cache: undefined,
  thinking: undefined,
  result_status: false,
  top_k: 'top',
  stops: true,
  system: true,
}

/** Every row whose pattern matches counts; later rows win. */
const rows: [RegExp, Partial<ConverseTraits>][] = [
  [/nova/i, { cache: 'prompt', result_status: true, top_k: 'inferenceConfig' }],
  [/nova-2/i, { thinking: 'reasoning_config' }],
  [/gpt-oss/i, { thinking: 'effort' }],
  [
    /gpt-oss|qwen3|deepseek[.-]v3|gemma|minimax|kimi|nemotron|magistral|ministral|voxtral|mistral-large-3/i,
    { schema: true },
  ],
  [/mistral|pixtral/i, { tool_choice: 'any' }],
  [/llama|jamba|command/i, { tool_choice: 'none' }],
  [/llama/i, { stops: false }],
  [/mistral-7b|mixtral|titan-text|command-text/i, { system: false }],
  // The name of an application's profile does not tell its model; of those, only Claude has cache points after tools.
  [/claude|application-inference-profile/i, { cache: 'tools', result_status: true }],
]

export const converseTraitsOf = (model: string): ConverseTraits =>
  Object.assign({}, unknown, ...rows.filter(([pattern]) => pattern.test(model)).map(([, stated]) => stated))
