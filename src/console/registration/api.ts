/** JSON API of registration, and of the code that proves an e-mail address. */
import { Elysia } from 'elysia'
import { MAIL_SECRET_MINUTES } from '../../contracts/registration.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { checkOrigin } from '../../web/origin.ts'
import { guard } from '../guard.ts'
import { clearedInvitation } from '../invitation-cookie.ts'
import { mailCode, register } from './register.ts'

export const registrationApi = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .post(
    '/api/user/register',
    async ({ request, server, body, query, set }) => {
      checkOrigin(request)
      await register({ request, server }, body, query.turnstile)
      set.headers['set-cookie'] = clearedInvitation
      return ok(null)
    },
    { critical: 'register' },
  )
  .get(
    '/api/verification',
    async ({ request, server, query, caller }) => {
      checkOrigin(request)
      await mailCode({ request, server }, query, query.turnstile, caller !== undefined)
      return ok({ valid_minutes: MAIL_SECRET_MINUTES })
    },
    { anyone: true, critical: 'verification' },
  )
