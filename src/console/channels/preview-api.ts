/** The channels that a call would try, for administrators. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { optional } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { RoutePreviewQuery } from '../../contracts/route-preview.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'
import { pricedPreview } from './priced-preview.ts'

export const routePreviewApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/channel/routes', async ({ query }) => ok(await pricedPreview(parse(RoutePreviewQuery, query))), {
    admin: true,
    query: z.object({ group: optional, model: optional, input_tokens: optional }),
  })
