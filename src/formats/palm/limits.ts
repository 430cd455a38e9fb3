/** What PaLM 2 cannot carry. https://ai.google.dev/palm_docs/palm (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { onlyText, textOnlyChanged, textOnlyDropped, textOnlyRefused } from '../translate/text-only.ts'

export const limits: FormatLimits = {
  stop: () => [],
  tool_name: onlyText,
  losses: {
    dropped: { ...textOnlyDropped, penalties: 'There is no such field.', user: 'There is no such field.' },
    refused: textOnlyRefused,
    changed: {
      ...textOnlyChanged,
      system: 'System messages are joined into the context.',
      messages:
        'A conversation starts and ends with the user and authors alternate: neighbouring messages are joined, and a missing text becomes `...`.',
      sampling: 'A temperature above 1 becomes 1.',
      schema: 'A wish for JSON, and its schema, is put into the context.',
      reasoning: 'Effort and budget are left out: the models do not reason.',
      streams: 'A stream is written from the whole response.',
      usage: 'The API counts no tokens: the gateway does.',
      finish: 'Every response ends with `stop`.',
    },
    omitted: {},
  },
}
