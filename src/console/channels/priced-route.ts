/** The route of a model in a group, and whether the model has a price. */
import type { PricedRoute, RouteQuery } from '../../contracts/channel-route.ts'
import { routeOf } from '../../domain/channels/index.ts'
import { unpriced } from '../../domain/pricing/index.ts'

export const pricedRoute = async (query: RouteQuery): Promise<PricedRoute> => ({
  ...(await routeOf(query)),
  priced: unpriced([query.model]).length === 0,
})
