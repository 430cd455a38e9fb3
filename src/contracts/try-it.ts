/** "Try it" on the home page: a visitor without an account makes one call, paid by a key of the operator. */

export const TRY_IT_PATH = '/pg/try-it'
/** The request id follows. */
export const TRY_IT_RECEIPT_PATH = '/try-it/receipt'

/** UTF-16 units. */
export const TRY_IT_PROMPT_MAX = 300
/** Output of an answer. */
const OUTPUT_TOKENS_MAX = 300

/** The only request that is taken, in OpenAI's form. */
export const tryItRequest = (model: string, prompt: string) => ({
  model,
  messages: [{ role: 'user', content: prompt }],
  max_tokens: OUTPUT_TOKENS_MAX,
  stream: true,
  stream_options: { include_usage: true },
})
