/** The route of a model in a group, and whether the model has a price. */
import type { PricedRoute, RouteQuery } from '../../contracts/channel-route.ts'
import { unpriced } from '../../domain/pricing/index.ts'
import { routeOf } from '../../domain/routing/index.ts'

export const pricedRoute = async (query: RouteQuery): Promise<PricedRoute> => ({
  ...(await routeOf(query)),
  priced: unpriced([query.model]).length === 0,
})
