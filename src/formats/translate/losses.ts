/**
 * What each format cannot be told, by an upstream's format, and cannot tell, by a caller's. The translation does what
 * stands here and nothing else, and `docs/formats.md` is printed from it.
 */
import type { FormatName, ResponsePart } from '../canonical/chat.ts'
import type { Droppable, Unsupported } from './features.ts'

export interface Losses {
  /** Left out of the request. */
  dropped: Partial<Record<Droppable, string>>
  /** The request is answered with 400; another channel may still take it. */
  refused: Partial<Record<Unsupported, string>>
  /** Said in another way. */
  changed: Record<string, string>
  /** Left out of the answer. */
  untold: Partial<Record<ResponsePart['kind'] | 'logprobs', string>>
}

const unstored = 'The conversation is stored at another provider, under an id.'
const noHosted =
  'Tools that a provider runs itself (web search, code execution) become the corresponding tools of the target, and are left out if it has none. Allowed sites, location and context size are kept if the target has fields for them; excluded sites and the maximum number of searches are not.'
const noForeignThought = 'Thinking blocks are sent back only to the provider that signed them.'
const systemFirst = 'System messages in the middle of a conversation are joined to those at its beginning.'
const firstOfTurn =
  'A conversation starts with the user, roles alternate and no message is empty: neighbouring messages are joined, and a missing text becomes `...`.'
const bareSchema = 'OpenAI accepts only schemas of objects; any other schema is put into the instructions.'
const effortsOfOpenAi =
  'A budget of tokens becomes an effort: up to 1024 low, up to 8192 medium, else high, or the nearest effort that the model supports. OpenAI’s models without reasoning get none.'
const freeform =
  'Custom tools (called with free text) become functions with one argument, `input`; a grammar is put into the description. Clients get the text back when it is complete.'
const ownMedia = 'Images and other media that the model generated are sent back in a user message.'
const cut = 'The gateway applies the others itself and cuts the response there; output beyond it is billed.'
const toolNames = (most: number, letters: string) =>
  `A function whose name has more than ${most} characters, or others than ${letters}, is sent under another name; clients get the original name back.`
const openAiNames = toolNames(64, 'letters, digits, `_` and `-`')
const allowedTools = 'Tools outside a list of allowed tools are left out.'

export const losses: Record<FormatName, Losses> = {
  'openai-chat': {
    dropped: {
      top_k: 'OpenAI has no such field and rejects unknown fields.',
      cache_marks: 'OpenAI caches by itself.',
      citation_wish: 'There is no such field.',
      error_mark: 'A tool message has no error mark; its text describes the error.',
      old_citations: 'Annotations exist in responses only.',
    },
    refused: {
      file_url: 'Documents are sent inline or by file id.',
      stored_turns: unstored,
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
    untold: {},
  },
  'openai-responses': {
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
      stored_turns: unstored,
    },
    changed: {
      store: '`store` is false unless the client sets it, because clients of other formats do not expect storage.',
      thoughts: noForeignThought,
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
    untold: { audio: 'Responses have no audio.' },
  },
  anthropic: {
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
      stored_turns: unstored,
    },
    changed: {
      limit: '`max_tokens` is required: 8192 (4096 for Claude 3) if the client sets none, plus the thinking budget.',
      system: systemFirst,
      turns: firstOfTurn,
      temperature:
        'At most 1; with `top_p` only if the model accepts both; neither for the newest models or with thinking.',
      json: 'JSON without a schema is requested in the system prompt, and so is a schema for models before 4.5 (Opus: 4.1).',
      schema:
        'Objects get `additionalProperties: false`, and rejected keywords (`minimum`, `minLength`, `pattern` of properties …) are left out.',
      allowed_tools: allowedTools,
      stop: `Sequences of whitespace only are rejected and therefore not sent. ${cut}`,
      own_media: ownMedia,
      text_tools: freeform,
      tool_names: toolNames(128, 'letters, digits, `_` and `-`'),
      reasoning:
        'An effort becomes a budget: low 1024, medium 8192, high 24576, xhigh and max 65536, at most 80 % of the client’s limit; models since 4.7 accept the effort itself.',
      no_thinking:
        'Thinking is off if the limit leaves no room for it, if a tool is forced, or if an open round of tool calls has thinking without a signature, because the API rejects these.',
      thoughts: noForeignThought,
      hosted_tools: noHosted,
    },
    untold: {
      logprobs: 'Responses have none.',
      image: 'Responses have no images.',
      audio: 'Responses have no audio.',
    },
  },
  gemini: {
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
      stored_turns: unstored,
    },
    changed: {
      system: systemFirst,
      turns: firstOfTurn,
      stop: `The first five stop sequences are sent. ${cut}`,
      tool_names: toolNames(64, 'letters, digits, `_`, `.`, `:` and `-`'),
      names: 'A tool result carries the name of its function, found by the id of its call.',
      text_tools: freeform,
      tools:
        'Before Gemini 3, Google’s own tools are left out if there are functions, because the API rejects both together.',
      modalities: 'With audio output there is no other output. Voices have different names and are not translated.',
      own_names: 'Functions called `googleSearch`, `codeExecution` or `urlContext` become Google’s own tools.',
      results:
        'Results are sent in the order of their calls. A result that is not an object is put under `result`, a failed one under `error`.',
      result_media: 'Images in a tool result follow it; since Gemini 3 they are part of it.',
      schema: 'Each `$ref` is replaced by its target; rejected keywords are left out.',
      reasoning: 'An effort becomes a budget within the range of the model; since Gemini 3, a budget becomes a level.',
      signatures: 'Since Gemini 3, a call without a signature gets the placeholder that Google accepts.',
      thoughts: noForeignThought,
      hosted_tools: noHosted,
    },
    untold: {},
  },
}
