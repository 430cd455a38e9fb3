/** The route preview of a model in a group, and whether the model has a price. */
import type { PricedRoutePreview, RoutePreviewQuery } from '../../contracts/route-preview.ts'
import { unpriced } from '../../domain/pricing/index.ts'
import { previewRoute } from '../../domain/routing/index.ts'
import { withFullBudgets } from './full-budgets.ts'

export const pricedPreview = async (query: RoutePreviewQuery): Promise<PricedRoutePreview> => ({
  ...(await withFullBudgets(await previewRoute(query))),
  priced: unpriced([query.model]).length === 0,
})
