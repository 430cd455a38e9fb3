/** What OpenAI chat completions cannot carry. https://platform.openai.com/docs/api-reference/chat/create (read 2026-11) */
import { isReasoningModel, searchesInChat } from '../../models/traits.ts'
import type { FormatLimits } from '../format.ts'
import { openAiToolName } from '../openai-shared.ts'
import {
  bareSchema,
  cut,
  effortsOfOpenAi,
  freeform,
  noHosted,
  openAiNames,
  ownMedia,
  unstored,
} from '../translate/losses.ts'

const STOP_MAX = 4

export const limits: FormatLimits = {
  owner: 'openai',
  stop: (stop, model) => (isReasoningModel(model) ? [] : stop.slice(0, STOP_MAX)),
  hosted: model => (searchesInChat(model) ? ['web_search'] : []),
  tool_name: openAiToolName,
  video_urls: true,
  losses: {
    dropped: {
      top_k: 'OpenAI has no such field and rejects unknown fields.',
      cache_marks: 'OpenAI caches by itself.',
      citation_wish: 'There is no such field.',
      error_mark: 'A tool message has no error mark; its text describes the error.',
      old_citations: 'Annotations exist in responses only.',
    },
    refused: {
      file_url: 'Documents are sent inline or by file id.',
      stored_conversation: unstored,
    },
    changed: {
      system: 'System messages are joined into one message; its role is `developer` for reasoning models.',
      limit: '`max_completion_tokens` for reasoning models, `max_tokens` for all others.',
      sampling: 'Left out for reasoning models, which reject it, together with log probabilities; the seed is sent.',
      result_media: 'Images and documents in a tool result follow it in a user message.',
      documents: 'A document of plain text is sent as a text.',
      thoughts:
        'Thinking is sent back as `reasoning_content` while a round of tool calls is open, and never to models of OpenAI.',
      reasoning: effortsOfOpenAi,
      hosted_tools: noHosted,
      stop: `The first four stop sequences are sent, and none to reasoning models. ${cut}`,
      own_media: ownMedia,
      bare_schema: bareSchema,
      user: 'A name of more than 64 characters is replaced by its digest.',
      call_ids: 'The id of a call that has more than 40 characters is replaced by its digest.',
      text_tools: freeform,
      tool_names: openAiNames,
      modalities:
        'Audio output uses the voice `alloy`, as WAV, in streams as raw samples. Image output is not requested from OpenAI’s own models.',
      cache_writes: 'In the usage, cache writes for five minutes and for an hour are one number.',
    },
    omitted: {},
  },
}
