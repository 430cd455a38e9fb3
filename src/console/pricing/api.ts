/** JSON API of groups and the public price list. */
import { Elysia } from 'elysia'
import { DEFAULT_GROUP } from '../../contracts/pricing.ts'
import { groupNames, groupOffers, priceList, ratioConfig } from '../../domain/pricing/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'

export const pricingApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/group/', () => ok(groupNames()), { admin: true })
  .get('/api/user/groups', () => ok(groupOffers(DEFAULT_GROUP)))
  .get('/api/user/self/groups', ({ caller }) => ok(groupOffers(caller.group)), { signedIn: true })
  .get('/api/ratio_config', () => ok(ratioConfig()))
  .get(
    '/api/pricing',
    async ({ caller }) => {
      const { models, ...others } = await priceList(caller?.group)
      return { ...ok(models), ...others }
    },
    { anyone: true },
  )
