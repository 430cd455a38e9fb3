/** The site map: one `.use()` a line. */
import { Elysia } from 'elysia'
import { accountPages } from './console/account/pages.tsx'
import { preferenceRoutes } from './console/account/preferences.ts'
import { accountRoutes } from './console/account/routes.ts'
import { channelPages } from './console/channels/pages.tsx'
import { channelRoutes } from './console/channels/routes.ts'
import { healthRoutes } from './console/health/routes.ts'
import { homePages } from './console/home/pages.tsx'
import { logPages } from './console/logs/pages.tsx'
import { logRoutes } from './console/logs/routes.ts'
import { optionRoutes } from './console/options/routes.ts'
import { loadOptions } from './console/options/service.ts'
import { pricingRoutes } from './console/pricing/routes.ts'
import { setupPages } from './console/setup/pages.tsx'
import { setupRoutes } from './console/setup/routes.ts'
import { tokenPages } from './console/tokens/pages.tsx'
import { tokenRoutes } from './console/tokens/routes.ts'
import { userRoutes } from './console/users/routes.ts'
import { answerError } from './edge.ts'
import { assets } from './kit/assets.ts'
import { knownHost } from './kit/host.ts'
import { onlyHttps } from './kit/https.ts'
import { limits } from './kit/limit.ts'
import { queryAsText } from './kit/query.ts'
import { relayRoutes } from './relay/routes.ts'

export async function buildApp() {
  await loadOptions()
  return new Elysia()
    .onError(({ error, request, server }) => answerError(error, { request, server, body: undefined }))
    .use(relayRoutes)
    .use(knownHost)
    .use(onlyHttps)
    .use(limits)
    .use(queryAsText)
    .use(assets)
    .use(preferenceRoutes)
    .use(healthRoutes)
    .use(homePages)
    .use(setupRoutes)
    .use(setupPages)
    .use(accountRoutes)
    .use(accountPages)
    .use(channelRoutes)
    .use(channelPages)
    .use(logRoutes)
    .use(logPages)
    .use(optionRoutes)
    .use(pricingRoutes)
    .use(tokenRoutes)
    .use(tokenPages)
    .use(userRoutes)
}
