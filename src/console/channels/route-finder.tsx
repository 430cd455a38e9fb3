/** The route finder: which channels a call would try, in which order, and why no others. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { RouteFinder } from '../../../views/channels/route-finder.tsx'
import { ROUTES_PATH } from '../../../views/channels/route-view.ts'
import { type PricedRoute, RouteQuery } from '../../contracts/channel-route.ts'
import { optional } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { DEFAULT_GROUP } from '../../contracts/pricing.ts'
import { groupsInUse, routeOf } from '../../domain/channels/index.ts'
import { groupNames, unpriced } from '../../domain/pricing/index.ts'
import { translator } from '../../locales/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'
import { listPage, type PageRequest } from '../list-page.ts'
import { render } from '../page.tsx'

const Query = z.object({ group: optional, model: optional })

export const channelRoutesApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/channel/routes', async ({ query }) => ok(await pricedRoute(parse(RouteQuery, query))), {
    admin: true,
    query: Query,
  })

export const channelRoutesPages = listPage(ROUTES_PATH).get('', show, { userPage: 'admin', query: Query })

async function show({ request, visit, query }: PageRequest<z.output<typeof Query>>): Promise<Response> {
  const t = translator(visit.language)
  const asked = RouteQuery.safeParse(query)
  const error = !asked.success && query.model?.trim() ? t('route.model_required') : undefined
  const groups = new Set([...groupNames(), ...(await groupsInUse()), query.group?.trim() || DEFAULT_GROUP])
  const content = (
    <RouteFinder
      view={query}
      groups={[...groups]}
      route={asked.success ? await pricedRoute(asked.data) : undefined}
      error={error}
    />
  )
  return render(request, visit, content, { title: t('route.title'), status: error ? 422 : 200 })
}

/** The route of a model in a group, and whether the model has a price. */
const pricedRoute = async (query: RouteQuery): Promise<PricedRoute> => ({
  ...(await routeOf(query)),
  priced: unpriced([query.model]).length === 0,
})
