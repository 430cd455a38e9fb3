/** JSON API of the password reset by mail. */
import { Elysia } from 'elysia'
import { MAIL_SECRET_MINUTES } from '../../contracts/registration.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { checkOrigin } from '../../web/origin.ts'
import { mailLink, reset } from './reset.ts'

export const passwordResetApi = new Elysia()
  .use(envelope)
  .use(criticalLimit)
  .get(
    '/api/reset_password',
    async ({ request, server, query }) => {
      checkOrigin(request)
      await mailLink({ request, server }, query, query.turnstile)
      return ok({ valid_minutes: MAIL_SECRET_MINUTES })
    },
    { critical: 'reset-mail' },
  )
  .post(
    '/api/user/reset',
    async ({ request, server, body, query }) => {
      checkOrigin(request)
      return ok(await reset({ request, server }, body, query.turnstile))
    },
    { critical: 'reset' },
  )
