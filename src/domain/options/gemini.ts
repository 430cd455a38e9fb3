/** Options of Gemini models. */
import { decimal, flag, section, textArray, textMap } from './declare.ts'

const safety = {
  default: 'OFF',
  HARM_CATEGORY_HARASSMENT: 'BLOCK_NONE',
  HARM_CATEGORY_HATE_SPEECH: 'BLOCK_NONE',
  HARM_CATEGORY_SEXUALLY_EXPLICIT: 'BLOCK_NONE',
  HARM_CATEGORY_DANGEROUS_CONTENT: 'BLOCK_NONE',
}

const thinkingModels = [
  'gemini-2.5-flash-preview-05-20',
  'gemini-2.5-flash-preview-04-17',
  'gemini-2.5-pro-preview-06-05',
  'gemini-2.5-pro',
]

export const gemini = section({
  tab: 'models',
  options: {
    'gemini.safety_settings': textMap(['category', 'level'], safety),
    'gemini.version_settings': textMap(['model', 'version'], { default: 'v1beta', 'gemini-1.0-pro': 'v1beta' }),
    'gemini.supported_imagine_models': textArray('model', [
      'gemini-2.0-flash-exp-image-generation',
      'gemini-2.0-flash-exp',
    ]),
    'gemini.thinking_adapter_enabled': flag(false),
    'gemini.thinking_adapter_budget_tokens_percentage': decimal(0.6, { min: 0.002, max: 1 }),
    'gemini.models_supported_thinking_budget': textArray('model', thinkingModels),
  },
})
