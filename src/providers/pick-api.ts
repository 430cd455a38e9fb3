/** Chooses the API of a provider for one call: in the client's own format when the provider has that. */
import type { ClientFormat } from '../formats/format.ts'
import { traitsOf } from '../models/traits.ts'
import type { Operation, Provider, UpstreamApi } from './provider.ts'

/**
 * Chats and Responses translate into each other: the provider needs only one of the two.
 * @param model the upstream's name
 * @param client the client's format
 * @returns undefined when the provider cannot serve the operation
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
  return apis.responses && traitsOf(model, 'openai').responses_only ? apis.responses : apis.chat
}
