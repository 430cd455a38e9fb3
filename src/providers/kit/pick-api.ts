/** Chooses the API of a provider for one call: in the client's own format when the provider has that. */
import { asksToSearch } from '../../formats/translate/hosted-tools.ts'
import { traitsOf } from '../../models/traits.ts'
import { hostedTools } from './hosted.ts'
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
  const isByResponses =
    apis.responses && (traitsOf(model, 'openai').responses_only || searchesInResponses(apis, choice))
  return isByResponses ? apis.responses : apis.chat
}

/** Whether a chat of another format searches the web, and only the Responses API searches for this model. */
function searchesInResponses({ chat, responses }: Provider['apis'], { client, body, model }: ApiChoice): boolean {
  if (!chat || !responses || !client || client.name === chat.format.name || !body || !asksToSearch(body)) return false
  const searches = (api: UpstreamApi) => hostedTools(api, model).includes('web_search')
  return !searches(chat) && searches(responses)
}

/** The declaration that serves a call; a variant may have variants of its own. */
export function variantOf(provider: Provider, choice: ApiChoice): Provider {
  const variant = provider.variant?.(choice)
  return variant && variant !== provider ? variantOf(variant, choice) : provider
}
