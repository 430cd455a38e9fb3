/** Models that calls fall back to: those of their key, else those of its groups. */
import type { SessionUser } from '../../contracts/account.ts'
import { ANY_MODEL, FALLBACK_MODELS_MAX, type ServingStep } from '../../contracts/fallback-model.ts'
import { Refusal } from '../../contracts/refusal.ts'
import type { NewToken, Token } from '../../contracts/token.ts'
import { commaList } from '../../pure/lists.ts'
import { onOptionCommit, option } from '../options/index.ts'
import { pricedBy, priceFor } from '../pricing/index.ts'
import type { TokenRow } from './table.ts'

interface Key {
  token: Pick<TokenRow, 'group' | 'fallback_groups' | 'fallback_models'>
  user: { group: string }
}

/** Groups of a key in their order: its own, else the user's, then those that it falls back to. */
export const groupsOf = ({ token, user }: Key): string[] => [
  ...new Set([token.group || user.group, ...commaList(token.fallback_groups)]),
]

/** Whether a group has a list for any model, as most have none. */
export const hasGroupLists = (group: string): boolean => Object.hasOwn(option('GroupFallbacks'), group)

/** Models that calls of a model fall back to in a group. */
function groupList(group: string, model: string): readonly string[] {
  if (!hasGroupLists(group)) return []
  const lists = option('GroupFallbacks')[group]!
  return (Object.hasOwn(lists, model) ? lists[model] : Object.hasOwn(lists, ANY_MODEL) && lists[ANY_MODEL]) || []
}

/**
 * Where a call may be served, in order: by the requested model in each group of the key, then by each model of one list in
 * each group. That is the list of the request, else that of the key; without both each group has its own, which holds in it
 * alone.
 * @param requested of the request; absent where it has no list
 */
export function fallbackSteps(key: Key, model: string, requested?: readonly string[]): ServingStep[] {
  const groups = groupsOf(key)
  const inEach = (models: readonly string[]) => models.flatMap(one => groups.map(group => ({ group, model: one })))
  const listed = requested ?? commaList(key.token.fallback_models)
  const further =
    requested || listed.length
      ? inEach(listed)
      : groups.flatMap(group => groupList(group, model).map(one => ({ group, model: one })))
  return [...inEach([model]), ...further.filter(step => step.model !== model)]
}

/** @throws Refusal 400 for too many, or one without a price or that the key may not use; what it had before may stay */
export function checkFallbackModels(
  owner: SessionUser,
  fields: Partial<Pick<NewToken, 'group' | 'fallback_models' | 'model_limits' | 'model_limits_enabled'>>,
  before?: Token,
) {
  const { fallback_models } = fields
  if (fallback_models === undefined && fields.model_limits === undefined && fields.model_limits_enabled === undefined)
    return
  const models = commaList(fallback_models ?? before?.fallback_models ?? '')
  if (models.length > FALLBACK_MODELS_MAX) throw refused('token.fallback_models_too_many', { max: FALLBACK_MODELS_MAX })
  const isLimited = fields.model_limits_enabled ?? before?.model_limits_enabled
  const limits = commaList(fields.model_limits ?? before?.model_limits ?? '')
  const excluded = isLimited ? models.find(model => !limits.includes(model)) : undefined
  if (excluded) throw refused('token.fallback_model_excluded', { model: excluded })
  const query = { group: fields.group || before?.group || owner.group, user_group: owner.group }
  const had = commaList(before?.fallback_models ?? '')
  const unpriced = models.find(model => !had.includes(model) && !priceFor(model, query))
  if (unpriced) throw refused('token.fallback_model_unpriced', { model: unpriced })
}

type Code = 'token.fallback_models_too_many' | 'token.fallback_model_excluded' | 'token.fallback_model_unpriced'

const refused = (code: Code, facts: Record<string, string | number>) => new Refusal(code, facts, 400, 'fallback_models')

onOptionCommit(function* (_tx, { keys, after }) {
  if (!keys.includes('GroupFallbacks')) return
  const isPriced = pricedBy(after)
  for (const [group, lists] of Object.entries(after.value('GroupFallbacks'))) {
    const model = new Set(Object.values(lists).flat()).values().find(name => !isPriced(name))
    if (model === undefined) continue
    throw new Refusal('option.fallback_unpriced', { group, model }, 400, 'GroupFallbacks')
  }
})
