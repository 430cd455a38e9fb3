/** What AI Proxy's knowledge base cannot carry. https://docs.aiproxy.io/dev/library (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { onlyText, textOnlyChanged, textOnlyDropped, textOnlyRefused } from '../translate/text-only.ts'

const NO_FIELD = 'There is no such field.'

export const limits: FormatLimits = {
  stop: () => [],
  tool_name: onlyText,
  losses: {
    dropped: { ...textOnlyDropped, top_k: NO_FIELD, penalties: NO_FIELD, user: NO_FIELD },
    refused: { ...textOnlyRefused, choices: 'A response has one choice.' },
    changed: {
      ...textOnlyChanged,
      messages: 'The last message of the user is sent as the question; everything before it is left out.',
      system: 'Instructions are left out.',
      sampling: 'Temperature and `top_p` are left out.',
      schema: 'A wish for JSON, and its schema, is added to the question.',
      reasoning: 'Effort and budget are left out.',
      documents: 'Documents that an answer rests on become citations of it and a list behind it.',
      usage: 'The API counts no tokens: the gateway does.',
      finish: 'Every response ends with `stop`.',
    },
    omitted: {},
  },
}
