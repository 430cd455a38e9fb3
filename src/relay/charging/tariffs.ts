/** The tariffs and searches that a response is billed with: as it reports them, else as they were requested. */
import type { Price } from '../../billing/price.ts'
import { type Tariffs, type Usage, wasUsed } from '../../billing/usage.ts'
import type { RoutedChannel } from '../../domain/routing/index.ts'
import type { UpstreamApi } from '../../providers/index.ts'
import type { Call, PlannedCall } from '../call.ts'
import type { ChosenField } from '../request/chosen-field.ts'
import { isAllowed, ruleFor } from '../request/field-rules.ts'

interface TariffResponse {
  api: UpstreamApi
  channel: RoutedChannel
  /** Tariffs that a header of the response reports. */
  tariffs?: Tariffs
}

/** The price to reserve at: a dearer tariff that is requested counts until the upstream reports another. */
export const requestedPrice = ({ chosen_fields }: PlannedCall, price: Price): Price =>
  price.under(requestedTariffs(chosen_fields, price))

/** The dearer ones, by the fields that choose them. */
export function requestedTariffs(chosen: readonly ChosenField[] = [], price: Price): Tariffs {
  const tariffs: Record<string, string> = {}
  for (const { name, value } of chosen) if (isDearer(value, price)) tariffs[name] = String(value)
  return tariffs
}

const isDearer = (tariff: unknown, price: Price): boolean =>
  typeof tariff === 'string' && (price.tariff(tariff) ?? 1) > 1

/** What the channel allows is billed at the plain price. */
export function withTariffs(usage: Usage, call: Call, price: Price, served: TariffResponse): Usage {
  if (!call.chosen_fields) {
    const { allowed_fields } = served.channel.setting
    return usage.tariffs && allowed_fields?.length ? { ...usage, tariffs: reportedTariffs(usage, served) } : usage
  }
  const requested: Record<string, string> = {}
  const tools = { ...usage.tools }
  for (const field of call.chosen_fields) {
    const rule = ruleFor(field, served, call)
    const allowed = isAllowed(field.name, served)
    if (rule?.tariff && !allowed && isDearer(field.value, price)) requested[field.name] = String(field.value)
    if (!rule?.tool) continue
    if (allowed) delete tools[rule.tool]
    else if (rule.one_call && wasUsed(usage)) tools[rule.tool] ??= 1
  }
  return { ...usage, tools, tariffs: { ...requested, ...reportedTariffs(usage, served) } }
}

const reportedTariffs = ({ tariffs }: Usage, served: TariffResponse): Tariffs =>
  Object.fromEntries(Object.entries({ ...served.tariffs, ...tariffs }).filter(([field]) => !isAllowed(field, served)))
