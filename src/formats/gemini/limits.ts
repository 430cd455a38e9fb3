/** What Gemini generateContent cannot carry. https://ai.google.dev/api/generate-content (read 2026-11) */
import { traitsOf } from '../../models/traits.ts'
import type { FormatLimits } from '../format.ts'
import {
  cut,
  freeform,
  noForeignThought,
  noHosted,
  systemFirst,
  toolNames,
  unstored,
  userFirst,
} from '../translate/losses.ts'
import { takesHosted } from './hosted.ts'

const STOP_MAX = 5

export const limits: FormatLimits = {
  owner: 'gemini',
  stop: stop => stop.slice(0, STOP_MAX),
  hosted: (model, tools) => (takesHosted(model, tools) ? traitsOf(model, 'google').hosted : []),
  tool_name: { max: 64, refused: /[^\w.:-]/g, begins: /^[a-z_]/i },
  losses: {
    dropped: {
      logit_bias: 'There is no such field.',
      verbosity: 'There is no such field.',
      user: 'Only Vertex AI has labels.',
      parallel_tools: 'There is no such field.',
      names: 'Contents have no names.',
      cache_marks: 'Gemini caches by itself, or through cached contents created beforehand.',
      image_detail: 'Gemini has different resolution levels.',
      citation_wish: 'There is no such field.',
      old_citations: 'Grounding exists in responses only.',
    },
    refused: {
      image_url: 'Gemini fetches no URLs; the relay fetches the image if it can.',
      file_url: 'Gemini fetches no URLs; the relay fetches the document if it can.',
      streamed_choices: 'A stream has one choice.',
      stored_conversation: unstored,
    },
    changed: {
      system: systemFirst,
      messages: userFirst,
      stop: `The first five stop sequences are sent. ${cut}`,
      tool_names: toolNames(64, 'letters, digits, `_`, `.`, `:` and `-`'),
      names: 'A tool result carries the name of its function, found by the id of its call.',
      text_tools: freeform,
      tools:
        'Before Gemini 3, Google’s own tools are left out if there are functions, because the API rejects both together. Since Gemini 3 they stand side by side, with `includeServerSideToolInvocations` and the mode VALIDATED in place of AUTO.',
      server_side:
        'Calls and results of Google’s own tools in the conversation (`toolCall`, `toolResponse`) are kept for Google and left out elsewhere.',
      modalities: 'With audio output there is no other output. Voices have different names and are not translated.',
      results:
        'Results are sent in the order of their calls. A result that is not an object is put under `result`, a failed one under `error`.',
      result_media: 'Images in a tool result follow it; since Gemini 3 they are part of it.',
      schema: 'Each `$ref` is replaced by its target; rejected keywords are left out.',
      reasoning: 'An effort becomes a budget within the range of the model; since Gemini 3, a budget becomes a level.',
      signatures:
        'Since Gemini 3, a call without a signature gets the placeholder that Google accepts. A signature that is no whole base64 is left out.',
      thoughts: noForeignThought,
      hosted_tools: noHosted,
    },
    omitted: {},
  },
}
