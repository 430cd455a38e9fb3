/** Models without a price, for the drawer that offers them to a channel. */
import { Elysia } from 'elysia'
import { ModelNames } from '../../contracts/channel.ts'
import { parse } from '../../contracts/parse.ts'
import { unpriced } from '../../domain/pricing/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'

export const channelPricesApi = new Elysia()
  .use(envelope)
  .use(guard)
  .post(
    '/api/channel/unpriced',
    ({ body }) => {
      const { models, prefix } = parse(ModelNames, body)
      return ok(unpriced(models, prefix))
    },
    { admin: true },
  )
