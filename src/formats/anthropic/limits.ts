/** What Anthropic Messages cannot carry. https://docs.anthropic.com/en/api/messages (read 2026-11) */
import { traitsOf } from '../../models/traits.ts'
import type { FormatLimits } from '../format.ts'
import {
  allowedTools,
  cut,
  fewMarks,
  freeform,
  noForeignThought,
  noHosted,
  ownMedia,
  systemFirst,
  toolNames,
  unstored,
  userFirst,
  userLast,
} from '../translate/losses.ts'

export const limits: FormatLimits = {
  owner: 'anthropic',
  stop: stop => stop.filter(sequence => sequence.trim()),
  hosted: model => traitsOf(model, 'anthropic').hosted,
  forces_hosted: true,
  tool_name: { max: 128, refused: /[^\w-]/g },
  losses: {
    dropped: {
      modalities: 'Responses are text.',
      seed: 'There is no such field.',
      penalties: 'There are no such fields.',
      logit_bias: 'There is no such field.',
      logprobs: 'There is no such field.',
      verbosity: 'There is no such field.',
      names: 'Messages have no names.',
      image_detail: 'There is no such field.',
    },
    refused: {
      choices: 'The API returns one choice per request.',
      audio: 'There is no audio input.',
      video: 'There is no video input.',
      stored_conversation: unstored,
    },
    changed: {
      limit:
        '`max_tokens` is required: the most that the model can produce if the client sets none, 8192 for an unknown model.',
      system: systemFirst,
      messages: userFirst,
      temperature:
        'At most 1; with `top_p` only if the model accepts both; neither for the newest models or with thinking.',
      json: 'JSON without a schema is requested in the system prompt, and so is a schema for models before 4.5 (Opus: 4.1).',
      schema:
        'Objects get `additionalProperties: false`, and rejected keywords (`minimum`, `minLength`, `pattern` of properties …) are left out.',
      tool_choice: 'A tool call is not forced from models that always think (Opus 5.5, Fable 5.1): they refuse it.',
      allowed_tools: allowedTools,
      cache_marks: `Clients of other formats mark nothing and expect caching by itself: with tools or a \`prompt_cache_key\`, the instructions and the last two questions are marked, unless the channel’s setting \`auto_cache\` is off. ${fewMarks}`,
      stop: `Sequences of whitespace only are rejected and therefore not sent. ${cut}`,
      own_media: ownMedia,
      text_tools: freeform,
      tool_names: toolNames(128, 'letters, digits, `_` and `-`'),
      reasoning:
        'An effort becomes a budget: low 1024, medium 8192, high 24576, xhigh and max 65536, at most 80 % of the client’s limit; models since 4.7 accept the effort itself. Models that always think get the least effort in place of none.',
      no_thinking:
        'Thinking is off if the limit leaves no room for it or a tool is forced. A budget of thinking is off, too, while an open round of tool calls, or a final message of the assistant, does not begin with a thought that Anthropic has signed, because the API rejects these; adaptive thinking stays on, and models of 4.6, which have both, change to it. So models before 4.6 think only in the first round of clients whose history has no thoughts, such as Gemini CLI.',
      last_thought: 'A thought at the end of a message, such as one that was cut, is left out.',
      prefill: `Claude since 4.6 does not continue the assistant’s message. ${userLast}`,
      thoughts: noForeignThought,
      hosted_tools: noHosted,
    },
    omitted: {
      logprobs: 'Responses have none.',
      image: 'Responses have no images.',
      audio: 'Responses have no audio.',
      text_signatures:
        'Gemini’s signature of a text, which Google wants back but does not require, is lost: clients read the first or last block as the text, where an empty thought would have to carry it.',
    },
  },
}
