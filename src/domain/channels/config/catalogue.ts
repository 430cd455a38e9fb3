/** Models and providers to choose from, served by a channel or not. */
import type { ProviderChoice } from '../../../../client/channels/provider.tsx'
import { isAvailable, providers } from '../../../providers/index.ts'

/** Clients require a number; this is the oldest one in OpenAI's own list. */
const CREATED = 1_626_777_600

/** Known models by channel type. */
export const modelsByType = (): Record<string, readonly string[]> =>
  Object.fromEntries(providers.filter(({ models }) => models.length).map(({ type, models }) => [type, models]))

/** OpenAI model objects: each model once, owned by the first provider that has it. */
export function modelCatalogue() {
  const owners = new Map<string, string>()
  for (const { models, label } of providers) {
    for (const model of models) if (!owners.has(model)) owners.set(model, label)
  }
  return [...owners].map(([id, owned_by]) => ({ id, object: 'model' as const, created: CREATED, owned_by }))
}

/** Providers for the channel form, available ones first. */
export const providerChoices = (): ProviderChoice[] =>
  providers
    .map(provider => ({
      type: provider.type,
      label: provider.label,
      base_url: provider.base_url,
      key_format: provider.key_format,
      verbatim_url: provider.quirks.verbatim_url ?? false,
      available: isAvailable(provider),
    }))
    .sort((a, b) => Number(b.available) - Number(a.available) || a.type - b.type)
