/** What Baidu Wenxin v1 cannot carry. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { allowedTools, cut, freeform, noForeignThought, noHosted, toolNames, unstored } from '../translate/losses.ts'

const STOP_MAX = 4
/** Characters of one stop sequence. */
const STOP_LENGTH_MAX = 20

export const limits: FormatLimits = {
  stop: stop => stop.filter(({ length }) => length <= STOP_LENGTH_MAX).slice(0, STOP_MAX),
  tool_name: { max: 64, refused: /[^\w-]/g },
  losses: {
    dropped: {
      top_k: 'There is no such field.',
      seed: 'There is no such field.',
      logit_bias: 'There is no such field.',
      logprobs: 'There is no such field.',
      modalities: 'There is only text.',
      verbosity: 'There is no such field.',
      parallel_tools: 'A response calls one function at most.',
      names: 'Messages have no names.',
      cache_marks: 'There is no such field.',
      image_detail: 'There are no images.',
      citation_wish: 'There is no such field.',
      error_mark: 'The text of a result describes the error.',
      old_citations: 'There is no such field.',
    },
    refused: {
      audio: 'There is only text.',
      video: 'There is only text.',
      image: 'There is only text.',
      file: 'There is only text; a document of plain text is sent as a text.',
      choices: 'A response has one choice.',
      stored_conversation: unstored,
    },
    changed: {
      system:
        'System messages are joined into the field `system`; ERNIE-Bot-turbo and ERNIE-Lite-8K-0922 get them as first question, with the reply `Okay`.',
      messages:
        'A conversation starts and ends with the user and roles alternate: neighbouring messages are joined, and a missing text becomes `...`.',
      calls: 'Several calls of one message are sent one after the other, each before its result.',
      sampling:
        'A temperature of 0 becomes 0.01, one above 1 becomes 1. A frequency penalty from 0 to 2 becomes a penalty score from 1 to 2; a presence penalty is left out.',
      limit: 'An output limit of 1 becomes 2.',
      tool_choice:
        'A choice of any function names the function if there is only one, and is left to the model otherwise.',
      allowed_tools: allowedTools,
      schema: 'JSON is requested; a schema is put into the instructions.',
      reasoning: 'Effort and budget are left out: the models do not reason.',
      thoughts: noForeignThought,
      hosted_tools: noHosted,
      text_tools: freeform,
      stop: `The first four stop sequences of up to 20 characters are sent. ${cut}`,
      tool_names: toolNames(64, 'letters, digits, `_` and `-`'),
    },
    omitted: {},
  },
}
