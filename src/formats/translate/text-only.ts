/** Losses that the formats of texts alone have in common: those without media, functions and structured output. */
import type { ToolNameLimit } from '../format.ts'
import { type Losses, unstored } from './losses.ts'

const NO_FIELD = 'There is no such field.'
const ONLY_TEXT = 'There is only text.'

export const textOnlyDropped: Losses['dropped'] = {
  seed: NO_FIELD,
  logit_bias: NO_FIELD,
  logprobs: NO_FIELD,
  modalities: ONLY_TEXT,
  verbosity: NO_FIELD,
  parallel_tools: 'There are no functions.',
  names: 'Messages have no names.',
  cache_marks: NO_FIELD,
  image_detail: ONLY_TEXT,
  citation_wish: NO_FIELD,
  error_mark: 'There are no functions.',
  old_citations: NO_FIELD,
}

export const textOnlyRefused: Losses['refused'] = {
  audio: ONLY_TEXT,
  video: ONLY_TEXT,
  image: ONLY_TEXT,
  file: 'There is only text; a document of plain text is sent as a text.',
  tools: 'There are no functions.',
  stored_conversation: unstored,
}

/** For formats that have no limit of the output either. */
export const textOnlyChanged: Losses['changed'] = {
  limit: 'There is no limit of the output.',
  hosted_tools: 'Tools that a provider runs itself are left out.',
  stop: 'The gateway applies stop sequences itself and cuts the response there; output beyond it is billed.',
}

/** For formats without functions. */
export const onlyText: ToolNameLimit = { max: 64, refused: /[^\w-]/g }
