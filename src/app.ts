/** The site map: one `.use()` a line. */
import { Elysia } from 'elysia'
import { accountRoutes } from './console/account/routes.ts'
import { channelRoutes } from './console/channels/routes.ts'
import { healthRoutes } from './console/health/routes.ts'
import { logRoutes } from './console/logs/routes.ts'
import { optionRoutes } from './console/options/routes.ts'
import { loadOptions } from './console/options/service.ts'
import { pricingRoutes } from './console/pricing/routes.ts'
import { setupRoutes } from './console/setup/routes.ts'
import { limits } from './kit/limit.ts'
import { refuse } from './kit/reply.ts'

export async function buildApp() {
  await loadOptions()
  return new Elysia()
    .onError(({ error, request }) => refuse(error, request))
    .use(limits)
    .use(healthRoutes)
    .use(setupRoutes)
    .use(accountRoutes)
    .use(channelRoutes)
    .use(logRoutes)
    .use(optionRoutes)
    .use(pricingRoutes)
}
