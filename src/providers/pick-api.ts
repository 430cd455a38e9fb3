/** In which format a provider is asked for something: in the caller's own where it has that. */
import type { ClientCodec } from '../formats/format.ts'
import type { Operation, Provider, Spoken } from './provider.ts'

/** Models of OpenAI's that answer in Responses and nowhere else. */
const onlyInResponses =
  /^(?:o[13]-pro|o[34](?:-mini)?-deep-research|gpt-5(?:\.\d+)?-(?:pro|codex)|codex-mini|computer-use)/

/**
 * A chat can be had in Responses, and Responses in a chat: whichever the provider has.
 * @param model the upstream's name for it
 */
export function spokenFor(
  { speaks, mirror }: Provider,
  operation: Operation,
  model: string,
  { dialect }: Pick<ClientCodec, 'dialect'> = {},
): Spoken | undefined {
  if (operation === 'responses') return speaks.responses ?? speaks.chat
  if (operation !== 'chat') return speaks[operation]
  if (mirror && mirror.codec.dialect === dialect && mirror.models.test(model)) return mirror
  return speaks.responses && onlyInResponses.test(model) ? speaks.responses : speaks.chat
}
