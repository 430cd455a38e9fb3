/** Models and providers to choose from, served by a channel or not. */
import type { EndedService, ProviderChoice } from '../../../contracts/provider-choice.ts'
import { commonTypes, isAvailable, type Provider, providerOf, providers } from '../../../providers/index.ts'

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

/** Providers for the channel form: common ones in their own order, then the others by name, then those that cannot be used yet. */
export const providerChoices = (): ProviderChoice[] =>
  providers.map(choiceOf).sort((a, b) => placeOf(a) - placeOf(b) || a.label.localeCompare(b.label, 'en'))

function choiceOf(provider: Provider): ProviderChoice {
  const { quirks } = provider
  const { verbatim_url, host_by_region, host_by_setting, json_key, optional_key } = quirks
  const { base_url_form, other, settings, key_hint } = quirks
  return {
    type: provider.type,
    label: provider.label,
    base_url: provider.base_url,
    base_url_form,
    key_format: provider.key_format,
    other,
    presets: provider.presets,
    ended: endedService(provider.type),
    settings,
    key_hint,
    verbatim_url,
    host_by_region: host_by_region ?? host_by_setting,
    json_key,
    optional_key,
    ...(commonTypes.includes(provider.type) && { common: true }),
    available: isAvailable(provider),
  }
}

/** The end of a type's service. @returns undefined for a type that is served */
export function endedService(type: number): EndedService | undefined {
  const { ended } = providerOf(type) ?? {}
  const successor = ended?.successor === undefined ? undefined : providerOf(ended.successor)
  return ended && { on: ended.on, ...(successor && { successor: { type: successor.type, label: successor.label } }) }
}

function placeOf({ type, common, available }: ProviderChoice): number {
  if (common) return commonTypes.indexOf(type)
  return commonTypes.length + Number(!available)
}
