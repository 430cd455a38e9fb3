/** What Tencent's ChatCompletions cannot carry. https://cloud.tencent.com/document/product/1729/105701 (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import {
  allowedTools,
  freeform,
  noForeignThought,
  openAiNames,
  ownMedia,
  systemFirst,
  unstored,
  userFirst,
} from '../translate/losses.ts'

export const limits: FormatLimits = {
  stop: stop => stop,
  hosted: () => ['web_search'],
  tool_name: { max: 64, refused: /[^\w-]/g },
  losses: {
    dropped: {
      top_k: 'There is no such field.',
      penalties: 'There are no such fields.',
      logit_bias: 'There is no such field.',
      logprobs: 'There is no such field.',
      modalities: 'Responses are text.',
      verbosity: 'There is no such field.',
      names: 'Messages have no names.',
      user: 'There is no such field.',
      parallel_tools: 'There is no such field.',
      cache_marks: 'There is no such field.',
      image_detail: 'There is no such field.',
      citation_wish: 'There is no such field.',
      error_mark: 'There is no such field; the text of the result describes the error.',
      old_citations: 'They exist in responses only.',
    },
    refused: {
      audio: 'There is no audio input.',
      video: 'There is no video input.',
      file: 'Documents of plain text are sent as text; there is no field for others.',
      choices: 'The API returns one choice per request.',
      stored_conversation: unstored,
    },
    changed: {
      limit: 'The API has no limit of output tokens: a client’s limit is not sent.',
      system: systemFirst,
      messages: userFirst,
      sampling: '`Temperature` is at most 2, `TopP` at most 1.',
      json: 'JSON, with or without a schema, is requested in the system message.',
      tool_choice: 'A call of any tool is forced if there is one tool; with several, the model decides.',
      allowed_tools: allowedTools,
      result_media: 'Images in a tool result follow it in a user message.',
      reasoning: 'An effort or a budget turns thinking on or off.',
      thoughts: noForeignThought,
      hosted_tools: 'Web search becomes `EnableEnhancement`; sites, location and context size are not sent.',
      own_media: ownMedia,
      text_tools: freeform,
      tool_names: openAiNames,
    },
    omitted: {
      logprobs: 'Responses have none.',
      image: 'Responses have no images.',
      audio: 'Responses have no audio.',
    },
  },
}
