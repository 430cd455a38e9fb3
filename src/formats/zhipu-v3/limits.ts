/** What Zhipu's API v3 cannot carry. https://open.bigmodel.cn/dev/api#chatglm_turbo (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { onlyText, textOnlyChanged, textOnlyDropped, textOnlyRefused } from '../translate/text-only.ts'

export const limits: FormatLimits = {
  stop: () => [],
  tool_name: onlyText,
  losses: {
    dropped: { ...textOnlyDropped, penalties: 'There is no such field.', user: 'There is no such field.' },
    refused: { ...textOnlyRefused, choices: 'A response has one choice.' },
    changed: {
      ...textOnlyChanged,
      system: 'System messages are joined into the first question, with the reply `Okay`.',
      messages:
        'A conversation starts and ends with the user and roles alternate: neighbouring messages are joined, and a missing text becomes `...`.',
      sampling: 'A temperature of 0 is left out; temperature and `top_p` of 1 and above become 0.99.',
      schema: 'A wish for JSON, and its schema, is put into the instructions.',
      reasoning: 'Effort and budget are left out: the models do not reason.',
      finish: 'Only an interrupted stream is known as filtered; any other response ends with `stop`.',
    },
    omitted: {},
  },
}
