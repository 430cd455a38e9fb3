/** The channels that a call would try, for administrators. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { RouteQuery } from '../../contracts/channel-route.ts'
import { optional } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'
import { pricedRoute } from './priced-route.ts'

export const channelRoutesApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/channel/routes', async ({ query }) => ok(await pricedRoute(parse(RouteQuery, query))), {
    admin: true,
    query: z.object({ group: optional, model: optional }),
  })
