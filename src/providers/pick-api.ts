/** In which format a provider is asked for something: in the caller's own where it has that. */
import type { ClientFormat } from '../formats/format.ts'
import type { Operation, Provider, UpstreamApi } from './provider.ts'

/** Models of OpenAI's that answer in Responses and nowhere else. */
const onlyInResponses =
  /^(?:o[13]-pro|o[34](?:-mini)?-deep-research|gpt-5(?:\.\d+)?-(?:pro|codex)|codex-mini|computer-use)/

/**
 * A chat can be had in Responses, and Responses in a chat: whichever the provider has.
 * @param model the upstream's name for it
 */
export function pickApi(
  { apis, anthropic_api }: Provider,
  operation: Operation,
  model: string,
  client?: ClientFormat,
): UpstreamApi | undefined {
  if (operation === 'responses') return apis.responses ?? apis.chat
  if (operation !== 'chat') return apis[operation]
  if (anthropic_api && anthropic_api.format.name === client?.name && anthropic_api.models.test(model))
    return anthropic_api
  return apis.responses && onlyInResponses.test(model) ? apis.responses : apis.chat
}
