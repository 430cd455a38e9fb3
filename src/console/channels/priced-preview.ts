/** The route preview of a model in a group or by a key, whether the model has a price, and where its calls go on. */
import type { ServingStep } from '../../contracts/fallback-model.ts'
import { notFound } from '../../contracts/refusal.ts'
import type {
  PreviewedFallback,
  PricedRoutePreview,
  RoutePreview,
  RoutePreviewQuery,
} from '../../contracts/route-preview.ts'
import { unpriced, usableGroups } from '../../domain/pricing/index.ts'
import { previewRoute } from '../../domain/routing/index.ts'
import { fallbackSteps, type TokenRow, tokenById } from '../../domain/tokens/index.ts'
import { type User, userById } from '../../domain/users/index.ts'
import { commaList } from '../../pure/lists.ts'
import { withFullBudgets } from './full-budgets.ts'

interface Key {
  token: Pick<TokenRow, 'group' | 'fallback_groups' | 'fallback_models' | 'model_limits' | 'model_limits_enabled'>
  user: Pick<User, 'group'>
}

/** @throws Refusal 404 for a key that does not exist */
export async function pricedPreview(query: RoutePreviewQuery): Promise<PricedRoutePreview> {
  const key = query.key === undefined ? keyOf(query.group) : await keyById(query.key)
  const group = key.token.group || key.user.group
  const asked = { ...query, group }
  const preview = await withFullBudgets(await previewRoute(asked))
  const steps = fallbackSteps(key, query.model, preview.operation === 'chat' ? undefined : [])
  const fallbacks: PreviewedFallback[] = []
  for (const step of steps) {
    const shown =
      step.group === group && step.model === query.model
        ? preview
        : await withFullBudgets(await previewRoute({ ...asked, ...step }))
    fallbacks.push({ ...step, why: forbids(key, step) ? 'forbidden' : whyPassedOver(shown) })
  }
  return { ...preview, priced: isPriced(query.model), fallbacks }
}

const isPriced = (model: string) => unpriced([model]).length === 0

/** Of a call in a group, whatever the key. */
const keyOf = (group: string): Key => ({
  token: { group, fallback_groups: '', fallback_models: '', model_limits: '', model_limits_enabled: false },
  user: { group },
})

async function keyById(id: number): Promise<Key> {
  const token = await tokenById.get(id)
  const user = token && (await userById.get(token.user_id))
  if (!user) throw notFound('token.not_found')
  return { token, user }
}

const forbids = ({ token, user }: Key, { group, model }: ServingStep): boolean =>
  !(group in usableGroups(user.group)) || (token.model_limits_enabled && !commaList(token.model_limits).includes(model))

function whyPassedOver({ model, tiers, trial, others }: RoutePreview): PreviewedFallback['why'] {
  if (tiers.length || trial !== undefined) return isPriced(model) ? undefined : 'unpriced'
  const codes = others.flatMap(({ obstacles }) => (obstacles.length === 1 ? obstacles.map(({ code }) => code) : []))
  if (codes.some(code => code.startsWith('limit_') || code.startsWith('budget'))) return 'full'
  return codes.some(code => code === 'cooling' || code === 'trial_running') ? 'cooling_down' : 'no_channel'
}
