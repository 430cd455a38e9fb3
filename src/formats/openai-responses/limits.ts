/** What OpenAI Responses cannot carry. https://platform.openai.com/docs/api-reference/responses/create (read 2026-11) */
import { traitsOf } from '../../models/traits.ts'
import type { FormatLimits } from '../format.ts'
import { openAiToolName } from '../openai-shared.ts'
import {
  bareSchema,
  cut,
  effortsOfOpenAi,
  freeform,
  manyTools,
  noForeignThought,
  noHosted,
  openAiNames,
  ownMedia,
  unstored,
} from '../translate/losses.ts'

export const limits: FormatLimits = {
  owner: 'openai',
  stop: () => [],
  hosted: model => traitsOf(model, 'openai').hosted,
  forces_hosted: true,
  tool_name: openAiToolName,
  losses: {
    dropped: {
      modalities: 'Responses are text; images come from a tool.',
      top_k: 'There is no such field.',
      seed: 'There is no such field.',
      penalties: 'There are no such fields.',
      logit_bias: 'There is no such field.',
      names: 'Messages have no names.',
      cache_marks: 'OpenAI caches by itself.',
      citation_wish: 'There is no such field.',
      error_mark: 'An output has no error mark; its text describes the error.',
    },
    refused: {
      choices: 'The API returns one choice per request.',
      video: 'There is no video input.',
      stored_conversation: unstored,
      many_tools: manyTools,
    },
    changed: {
      store: '`store` is false unless the client sets it, because clients of other formats do not expect storage.',
      thoughts: noForeignThought,
      loose_thoughts: 'A thought that led to no text and no call, such as one that was cut, is left out.',
      sampling: 'Left out for reasoning models, which reject it, together with log probabilities.',
      documents: 'A document of plain text is sent as a text.',
      limit: '`max_output_tokens` is at least 16.',
      stop: `There is no such field. ${cut}`,
      own_media: ownMedia,
      bare_schema: bareSchema,
      user: 'A name of more than 64 characters is replaced by its digest.',
      call_ids: 'The id of a call that has more than 40 characters is replaced by its digest.',
      text_tools: freeform,
      tool_names: openAiNames,
      reasoning: effortsOfOpenAi,
      hosted_tools: noHosted,
    },
    omitted: {
      audio: 'Responses have no audio.',
      text_signatures:
        'Gemini’s signature of a text is left out unless the client includes `reasoning.encrypted_content`: then an empty reasoning item behind the message carries it.',
    },
  },
}
