/**
 * Names of the inputs of language models, which each maker chooses for itself.
 * https://replicate.com/collections/language-models (read 2026-11)
 */

export interface ModelInputs {
  system: string
  limit: string
  /** A list where the model takes several images, else one. */
  images: { name: string; isList: boolean }
  /** Fields of the canonical sampling that the models have. */
  sampling: readonly string[]
  effort?: string
}

const usual: ModelInputs = {
  system: 'system_prompt',
  limit: 'max_tokens',
  images: { name: 'image', isList: false },
  sampling: ['temperature', 'top_p', 'top_k', 'presence_penalty', 'frequency_penalty'],
}

const byOwner = new Map<string, ModelInputs>([
  ['anthropic', { ...usual, sampling: [] }],
  [
    'openai',
    {
      system: 'system_prompt',
      limit: 'max_completion_tokens',
      images: { name: 'image_input', isList: true },
      sampling: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
      effort: 'reasoning_effort',
    },
  ],
  [
    'google',
    {
      system: 'system_instruction',
      limit: 'max_output_tokens',
      images: { name: 'images', isList: true },
      sampling: ['temperature', 'top_p'],
    },
  ],
])

export const inputsOf = (model: string): ModelInputs => byOwner.get(model.split('/')[0]!) ?? usual
