/** What Cohere's chat cannot carry. https://docs.cohere.com/reference/chat (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { openAiToolName } from '../openai-shared.ts'
import {
  allowedTools,
  cut,
  freeform,
  noForeignThought,
  noHosted,
  openAiNames,
  ownMedia,
  unstored,
} from '../translate/losses.ts'

const STOP_MAX = 5

export const limits: FormatLimits = {
  stop: stop => stop.slice(0, STOP_MAX),
  tool_name: openAiToolName,
  losses: {
    dropped: {
      logit_bias: 'There is no such field.',
      logprobs: 'The API counts them by its own tokens, without alternatives.',
      modalities: 'Responses are text.',
      verbosity: 'There is no such field.',
      user: 'There is no such field.',
      parallel_tools: 'There is no such field.',
      names: 'Messages have no names.',
      cache_marks: 'Cohere caches by itself.',
      citation_wish: 'Every document is cited.',
      error_mark: 'A tool message has no error mark; its text describes the error.',
      old_citations: 'They are sent in responses only.',
    },
    refused: {
      choices: 'The API returns one choice per request.',
      audio: 'There is no audio input.',
      video: 'There is no video input.',
      file_url: 'Documents are sent as text.',
      file: 'Documents are sent as text; the API reads no PDF.',
      stored_conversation: unstored,
    },
    changed: {
      sampling: '`top_p` is between 0.01 and 0.99, `top_k` at most 500, penalties are between 0 and 1.',
      documents: 'Documents of plain text are sent beside the messages, in `documents`.',
      citations:
        'Citations of documents have no URL: clients of OpenAI’s formats and of Gemini see only those that have one.',
      json: 'Beside tools or documents, JSON is requested in the system prompt, because the API refuses `response_format` there.',
      bare_schema: 'Only schemas of objects are accepted; any other schema is put into the instructions.',
      forced_tool: 'A forced tool is the only one that is sent, as the API can force only some tool.',
      strict_tools: 'Tools are strict if all of them are and each has a required parameter.',
      allowed_tools: allowedTools,
      tool_plan:
        'The plan before tool calls is thinking; thinking and text before earlier tool calls are sent as their plan.',
      result_media: 'Images in a tool result follow it in a user message.',
      reasoning:
        'An effort becomes a budget: low 1024, medium 8192, high 24576, xhigh and max 65536, at most 80 % of the client’s limit; only models that think get it.',
      usage: 'The tokens that Cohere bills are counted, without those that it adds to prompt and output itself.',
      thoughts: noForeignThought,
      hosted_tools: noHosted,
      stop: `The first five stop sequences are sent. ${cut}`,
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
