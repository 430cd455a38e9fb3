/** Google PaLM 2, retired. https://ai.google.dev/palm_docs/palm (read 2026-11) */
import { palm as messages } from '../formats/palm/index.ts'
import { gemini } from './gemini/index.ts'
import { baseUrlOf, withoutVersion } from './kit/base-url.ts'
import { provider } from './kit/provider.ts'

const BASE_URL = 'https://generativelanguage.googleapis.com'
const DEFAULT_MODEL = 'chat-bison-001'

export const palm = provider({
  type: 11,
  label: 'Google PaLM2',
  base_url: BASE_URL,
  key_format: 'AIza…',
  ended: { successor: gemini.type },
  quirks: { probe: { model: 'PaLM-2' } },
  authorize: ({ key }) => ({ 'x-goog-api-key': key }),
  variant: ({ model }) => (isSuccessors(model) ? gemini : undefined),
  variants: [gemini],
  apis: {
    chat: {
      format: messages,
      no_streams: true,
      url: (config, model) =>
        `${withoutVersion(baseUrlOf(config, BASE_URL))}/v1beta2/models/${nameOf(model)}:generateMessage`,
    },
  },
})

/** Queries name no model: the successor lists its own. */
const isSuccessors = (model: string) => model === '' || model.startsWith('gemini-')

const nameOf = (model: string) => (/^[\w-]+-bison-\d+$/.test(model) ? model : DEFAULT_MODEL)
