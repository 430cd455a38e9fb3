/** The playground: paths, what the page is given, what an answer cost. */

export const PLAYGROUND_PATH = '/playground'

/** OpenAI chat completions for the signed-in user, in a group of the body. */
export const PLAYGROUND_CALL_PATH = '/pg/chat/completions'

export const PLAYGROUND_MODELS_PATH = '/api/playground/models'
export const PLAYGROUND_RECEIPT_PATH = '/api/playground/receipt'

/** The browser's database of a user's conversations; the user's id follows. */
export const PLAYGROUND_DATABASE = 'tollgate-playground-'

export const PLAYGROUND_MODEL_DEFAULT = 'gpt-4o-mini'

export interface PlaygroundGroup {
  name: string
  desc: string
  ratio: number
}
