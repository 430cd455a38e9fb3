/** Chooses the API of a provider for one call: in the client's own format when the provider has that. */
import { traitsOf } from '../models/traits.ts'
import type { ApiChoice, Provider, UpstreamApi } from './provider.ts'

/**
 * Chats and Responses translate into each other: the provider needs only one of the two.
 * @returns undefined when the provider cannot serve the operation
 */
export function pickApi(provider: Provider, choice: ApiChoice): UpstreamApi | undefined {
  const { apis, anthropic_api } = variantOf(provider, choice)
  const { operation, model, client } = choice
  if (operation === 'responses') return apis.responses ?? apis.chat
  if (operation !== 'chat') return apis[operation]
  if (anthropic_api && anthropic_api.format.name === client?.name && anthropic_api.models.test(model))
    return anthropic_api
  return apis.responses && traitsOf(model, 'openai').responses_only ? apis.responses : apis.chat
}

/** The declaration that serves a call; a variant may have variants of its own. */
export function variantOf(provider: Provider, choice: ApiChoice): Provider {
  const variant = provider.variant?.(choice)
  return variant && variant !== provider ? variantOf(variant, choice) : provider
}
