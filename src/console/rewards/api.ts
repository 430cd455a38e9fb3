/** JSON API of check-in and invitations of the signed-in user. */
import { Elysia } from 'elysia'
import { parse } from '../../contracts/parse.ts'
import { Transfer } from '../../contracts/reward.ts'
import { checkHuman } from '../../domain/human-check/index.ts'
import { affCodeOf, canCheckIn, checkIn, transferEarnings } from '../../domain/rewards/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { idempotencyKeyOf } from '../../web/idempotency-key.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { addressOf } from '../../web/request.ts'
import { guard } from '../guard.ts'

export const rewardApi = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .get('/api/user/aff', async ({ caller }) => ok(await affCodeOf(caller.id)), { signedIn: true })
  .post(
    '/api/user/aff_transfer',
    async ({ caller, request, body }) => {
      const { quota } = parse(Transfer, body)
      return ok(await transferEarnings(caller, quota, idempotencyKeyOf(request)))
    },
    { signedIn: true, critical: 'transfer' },
  )
  .get('/api/user/check_in_status', async ({ caller }) => ok({ can_check_in: await canCheckIn(caller.id) }), {
    signedIn: true,
  })
  .post(
    '/api/user/check_in',
    async ({ caller, request, server, query }) => {
      const key = idempotencyKeyOf(request)
      await checkHuman(query.turnstile, addressOf(request, server))
      return ok(await checkIn(caller, key))
    },
    { signedIn: true, critical: 'check-in' },
  )
