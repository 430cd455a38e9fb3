/** What the inputs of language models at Replicate cannot carry. https://replicate.com/collections/language-models (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { cut, noForeignThought, noHosted, ownMedia, unstored } from '../translate/losses.ts'

const noField = 'There is no such input.'

export const limits: FormatLimits = {
  stop: () => [],
  tool_name: { max: 64, refused: /[^\w-]/g },
  losses: {
    dropped: {
      seed: noField,
      logit_bias: noField,
      logprobs: noField,
      modalities: 'There is only text.',
      verbosity: noField,
      user: noField,
      parallel_tools: 'There are no functions.',
      names: 'Messages have no names.',
      cache_marks: noField,
      image_detail: noField,
      citation_wish: noField,
      error_mark: 'There are no functions.',
      old_citations: noField,
    },
    refused: {
      audio: 'Models take texts and images.',
      video: 'Models take texts and images.',
      file: 'A document of plain text becomes a part of the prompt; others are refused.',
      tools: 'There are no functions.',
      choices: 'A prediction has one output.',
      stored_conversation: unstored,
    },
    changed: {
      conversation: 'A conversation is written into the prompt, with the role before each message.',
      inputs:
        'Instructions, limit of output, sampling and images have the names that the maker of the model gives them; sampling that its models do not have is left out. Models with one image get the last.',
      output: 'JSON, with a schema or without, is requested in the instructions.',
      reasoning: 'An effort is sent to models of OpenAI. Thoughts that a model writes stay in its text.',
      usage: 'Models that are priced by tokens report them outside of streams; the gateway counts all others.',
      thoughts: noForeignThought,
      own_media: ownMedia,
      hosted_tools: noHosted,
      stop: cut,
    },
    omitted: {},
  },
}
