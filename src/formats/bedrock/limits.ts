/**
 * What Converse cannot carry.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11)
 */
import { converseTraitsOf } from '../../models/converse.ts'
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
} from '../translate/losses.ts'

/** Nova accepts no more. https://docs.aws.amazon.com/nova/latest/userguide/complete-request-schema.html (read 2026-11) */
const STOPS_MAX = 4

export const limits: FormatLimits = {
  owner: 'bedrock',
  stop: (stop, model) =>
    converseTraitsOf(model).stops ? stop.filter(sequence => sequence.trim()).slice(0, STOPS_MAX) : [],
  tool_name: { max: 64, refused: /[^\w-]/g },
  losses: {
    dropped: {
      modalities: 'Responses are text.',
      seed: 'There is no such field.',
      penalties: 'There are no such fields.',
      logit_bias: 'There is no such field.',
      logprobs: 'There is no such field.',
      verbosity: 'There is no such field.',
      user: 'There is no such field.',
      parallel_tools: 'There is no such field.',
      names: 'Messages have no names.',
      image_detail: 'There is no such field.',
      citation_wish: 'Only Claude cites, which InvokeModel serves.',
      old_citations: 'Texts of the assistant have no citations.',
    },
    refused: {
      choices: 'The API returns one choice per request.',
      audio: 'Chat models have no audio input.',
      image_url: 'The API fetches no images: the gateway does.',
      file_url: 'The API fetches no files: the gateway does.',
      stored_conversation: unstored,
    },
    changed: {
      system: systemFirst,
      messages: userFirst,
      temperature: 'At most 1.',
      top_k: 'A field beside the API’s own, which not every model knows.',
      json: 'JSON without a schema is requested in the system prompt, and so is a schema for models that cannot be held to one (Nova, Llama …).',
      schema:
        'Objects get `additionalProperties: false`, and rejected keywords (`minimum`, `minLength` …) are left out.',
      tool_choice:
        'No tool at all: the tools are left out, unless the conversation contains calls. A named tool becomes the only one for Mistral; Llama and Cohere choose for themselves, of the named tool alone.',
      old_tools: 'Tools that only the conversation names are declared without parameters, as the API requires.',
      allowed_tools: allowedTools,
      cache_marks: `A cache point, for Nova and Claude; Nova has none after tools. ${fewMarks}`,
      error_mark: 'Only Nova and Claude have a status of tool results.',
      documents: 'Names of documents keep letters, digits, spaces, hyphens and brackets, and become unique.',
      stop: `At most ${STOPS_MAX}, none for Llama. ${cut}`,
      own_media: ownMedia,
      text_tools: freeform,
      tool_names: toolNames(64, 'letters, digits, `_` and `-`'),
      reasoning: 'The effort is low, medium or high, for gpt-oss and Nova 2; other models decide for themselves.',
      thoughts: noForeignThought,
      hosted_tools: noHosted,
    },
    omitted: {},
  },
}
