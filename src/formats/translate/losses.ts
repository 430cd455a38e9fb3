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

const unstored = 'What was said before is kept by another provider under an id.'
const noHosted =
  'Tools that a provider runs itself (web search, code execution) become the target’s own where it has the like, and are left out where it has not. The sites to look at, the place and how much is read go along as far as there are fields for them; sites to leave out and a most of searches do not.'
const noForeignThought = 'Thoughts go back only to the provider that signed them.'
const systemFirst = 'Instructions from the middle of a conversation are joined to those at its beginning.'
const firstOfTurn =
  'A conversation begins with the user, roles alternate, and nothing is empty: neighbours are joined, and `...` stands where something must.'
const bareSchema = 'A schema of anything but an object is asked for in the instructions: OpenAI takes no other.'
const effortsOfOpenAi =
  'A budget of tokens becomes an effort: up to 1024 low, up to 8192 medium, else high; of the efforts that the model knows, the nearest is asked for. OpenAI’s models that do not think are asked for none.'
const freeform =
  'Tools that are called with a text become functions with one argument, `input`, and a grammar goes into the description. Callers get the text back, once it is whole.'
const ownMedia = 'Pictures and the like that the model itself has made are shown to it by the user.'
const cut = 'The gateway looks for the others itself and cuts the answer there; what the model wrote beyond is billed.'
const toolNames = (most: number, letters: string) =>
  `A function whose name has more than ${most} characters, or others than ${letters}, is sent under another name, and callers get its own back.`
const openAiNames = toolNames(64, 'letters, digits, `_` and `-`')
const allowedTools = 'Of a list of allowed tools, the others are not offered.'

export const losses: Record<FormatName, Losses> = {
  'openai-chat': {
    dropped: {
      top_k: 'Unknown to OpenAI, which refuses unknown fields.',
      cache_marks: 'OpenAI caches by itself.',
      citation_wish: 'There is no such wish.',
      error_mark: 'A tool message has no such mark; its text says what went wrong.',
      old_citations: 'Annotations are for answers alone.',
    },
    refused: {
      file_url: 'Documents are sent inline or by id.',
      stored_turns: unstored,
    },
    changed: {
      system: 'All system texts are sent as one message; its role is `developer` for models that think.',
      limit: '`max_completion_tokens` for models that think, `max_tokens` for all others.',
      sampling: 'Left out for models that think, which refuse it, and so are log probabilities; the seed is sent.',
      result_media: 'Pictures and documents in a tool result follow it in a user message.',
      documents: 'A document of plain text is sent as a text.',
      thoughts:
        'Thoughts go back as `reasoning_content` while a round of tool calls is open, and never to models of OpenAI.',
      reasoning: effortsOfOpenAi,
      hosted_tools: noHosted,
      stop: `The first four stop sequences are sent, and none to models that think. ${cut}`,
      own_media: ownMedia,
      bare_schema: bareSchema,
      user: 'A name of more than 64 characters is replaced by its digest.',
      call_ids: 'The id of a call that has more than 40 characters is replaced by its digest.',
      text_tools: freeform,
      tool_names: openAiNames,
      modalities:
        'Sound comes in the voice `alloy`, as WAV; in streams as bare samples. Pictures are not asked of OpenAI’s own models.',
      cache_writes: 'In the usage, cache writes for five minutes and for an hour are one number.',
    },
    untold: {},
  },
  'openai-responses': {
    dropped: {
      modalities: 'Answers are words, and pictures by a tool.',
      top_k: 'There is no such field.',
      seed: 'There is no such field.',
      penalties: 'There are no such fields.',
      logit_bias: 'There is no such field.',
      names: 'Messages have no names.',
      cache_marks: 'OpenAI caches by itself.',
      citation_wish: 'There is no such wish.',
      error_mark: 'An output has no such mark; its text says what went wrong.',
    },
    refused: {
      choices: 'One answer at a time.',
      video: 'There are no videos.',
      stored_turns: unstored,
    },
    changed: {
      store:
        '`store` is false unless the caller says otherwise: callers of other formats do not expect to be remembered.',
      thoughts: noForeignThought,
      sampling: 'Left out for models that think, which refuse it, and so are log probabilities.',
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
    untold: { audio: 'Answers have no sound.' },
  },
  anthropic: {
    dropped: {
      modalities: 'Answers are words.',
      seed: 'There is no such field.',
      penalties: 'There are no such fields.',
      logit_bias: 'There is no such field.',
      logprobs: 'There are none.',
      verbosity: 'There is no such field.',
      names: 'Messages have no names.',
      image_detail: 'There is no such field.',
    },
    refused: {
      choices: 'One answer at a time.',
      audio: 'There is no audio input.',
      video: 'There is no video input.',
      stored_turns: unstored,
    },
    changed: {
      limit:
        '`max_tokens` is required: 8192 (4096 for Claude 3) where the caller names none, and the budget for thoughts beside it.',
      system: systemFirst,
      turns: firstOfTurn,
      temperature:
        'At most 1; with `top_p` only where the model takes both; neither with newest models, or while thinking.',
      json: 'JSON without a schema is asked for in the system prompt, and so is a schema of models before 4.5 (Opus: 4.1).',
      schema:
        'Objects are closed, and keywords that are refused (`minimum`, `minLength`, `pattern` of properties …) are left out.',
      allowed_tools: allowedTools,
      stop: `Those of blanks alone are not sent: they are refused. ${cut}`,
      own_media: ownMedia,
      text_tools: freeform,
      tool_names: toolNames(128, 'letters, digits, `_` and `-`'),
      reasoning:
        'An effort is a budget: low 1024, medium 8192, high 24576, xhigh and max 65536, at most 80 % of the caller’s own limit; models since 4.7 take the effort itself.',
      no_thinking:
        'No thinking where the limit leaves no room for it, where a tool is forced, or where an open round of tool calls has thoughts without a signature: these are refused.',
      thoughts: noForeignThought,
      hosted_tools: noHosted,
    },
    untold: {
      logprobs: 'Answers have none.',
      image: 'Answers have no pictures.',
      audio: 'Answers have no sound.',
    },
  },
  gemini: {
    dropped: {
      logit_bias: 'There is no such field.',
      verbosity: 'There is no such field.',
      user: 'Only Vertex has labels.',
      parallel_tools: 'There is no such field.',
      names: 'Contents have no names.',
      cache_marks: 'Gemini caches by itself, or by contents made beforehand.',
      image_detail: 'Gemini has other steps of resolution.',
      citation_wish: 'There is no such wish.',
      old_citations: 'Grounding is for answers alone.',
    },
    refused: {
      image_url: 'Addresses are not fetched; the relay brings the picture where it can.',
      file_url: 'Addresses are not fetched; the relay brings the document where it can.',
      streamed_choices: 'A stream has one answer.',
      stored_turns: unstored,
    },
    changed: {
      system: systemFirst,
      turns: firstOfTurn,
      stop: `The first five stop sequences are sent. ${cut}`,
      tool_names: toolNames(64, 'letters, digits, `_`, `.`, `:` and `-`'),
      names: 'A tool result says the name of its function, found by the id of its call.',
      text_tools: freeform,
      tools: 'Before Gemini 3, Google’s own tools are left out where there are functions: it refuses both together.',
      modalities: 'Who asks for sound gets nothing beside it. Voices have other names, and are not translated.',
      own_names: 'Functions called `googleSearch`, `codeExecution` or `urlContext` become Google’s own tools.',
      results:
        'Results stand in the order of their calls. A result that is not an object is put under `result`, a failed one under `error`.',
      result_media: 'Pictures in a tool result follow it; since Gemini 3 they are part of it.',
      schema: 'Each `$ref` is replaced by what it refers to; keywords that are refused are left out.',
      reasoning: 'An effort is a budget within the range of the model; since Gemini 3, a budget is a level.',
      signatures:
        'Since Gemini 3, a call that came without a signature carries the placeholder that Google accepts instead.',
      thoughts: noForeignThought,
      hosted_tools: noHosted,
    },
    untold: {},
  },
}
