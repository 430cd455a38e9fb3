/** All routes of the console: one plugin per line. Elysia applies hooks to the routes registered after them. */
import { type AnyElysia, Elysia } from 'elysia'
import { accountApi } from './console/account/api.ts'
import { confirmApi, confirmPages } from './console/account/confirm.tsx'
import { accountPages } from './console/account/pages.tsx'
import { passkeyApi, passkeyPages } from './console/account/passkey.ts'
import { secondFactorApi, secondFactorPages } from './console/account/second-factor.tsx'
import { signInLinkPages } from './console/account/sign-in-link.ts'
import { adminSettings } from './console/admin-settings.tsx'
import { apiDocumentOf, apiDocumentRoute } from './console/api-docs/api.ts'
import { apiDocsPages } from './console/api-docs/pages.tsx'
import { auditLogApi } from './console/audit-log/api.ts'
import { auditLogPages } from './console/audit-log/pages.tsx'
import { undoPages } from './console/audit-log/undo.ts'
import { availabilityPages } from './console/availability/pages.tsx'
import { brandingApi } from './console/branding/api.ts'
import { brandingPages } from './console/branding/pages.tsx'
import { budgetApi } from './console/budgets/api.ts'
import { channelApi } from './console/channels/api.ts'
import { channelBatchApi } from './console/channels/batch-api.ts'
import { channelBatchPages } from './console/channels/batch-pages.tsx'
import { channelHistoryPages } from './console/channels/history-pages.tsx'
import { channelPages } from './console/channels/pages.tsx'
import { routePreviewPages } from './console/channels/preview-pages.tsx'
import { channelReportPages } from './console/channels/report-pages.tsx'
import { chatPages } from './console/chat/pages.tsx'
import { dataApi } from './console/dashboard/api.ts'
import { dashboardPages } from './console/dashboard/pages.tsx'
import { homePages } from './console/home/pages.tsx'
import { logApi } from './console/logs/api.ts'
import { adminCallPages, callPages } from './console/logs/call-pages.tsx'
import { logPages } from './console/logs/pages.tsx'
import { meApi } from './console/me/api.ts'
import { mePages } from './console/me/pages.tsx'
import { inboxApi, messageApi } from './console/messages/api.ts'
import { inboxPages } from './console/messages/inbox-pages.tsx'
import { messagePages } from './console/messages/pages.tsx'
import { oauthApi } from './console/oauth/api.ts'
import { oauthPages } from './console/oauth/pages.ts'
import { optionApi } from './console/options/api.ts'
import { suggestionApi } from './console/palette/api.ts'
import { palettePages } from './console/palette/pages.tsx'
import { passwordResetApi } from './console/password-reset/api.ts'
import { passwordResetPages } from './console/password-reset/pages.tsx'
import { paymentApi } from './console/payments/api.ts'
import { paymentCallback } from './console/payments/callback.ts'
import { paymentPages } from './console/payments/pages.tsx'
import { playgroundApi } from './console/playground/api.ts'
import { playgroundPages } from './console/playground/pages.tsx'
import { preferenceRoutes } from './console/preferences.ts'
import { pricingApi } from './console/pricing/api.ts'
import { pricingPages } from './console/pricing/pages.tsx'
import { priceSettings } from './console/pricing/settings.tsx'
import { redemptionApi } from './console/redemption/api.ts'
import { redemptionPages } from './console/redemption/pages.tsx'
import { registrationApi } from './console/registration/api.ts'
import { registrationPages } from './console/registration/pages.tsx'
import { rewardApi } from './console/rewards/api.ts'
import { securityApi } from './console/security/api.ts'
import { securityPages } from './console/security/pages.tsx'
import { systemApi } from './console/settings/system-api.ts'
import { setupApi, setupGate } from './console/setup/api.ts'
import { setupImportPages } from './console/setup/import-pages.tsx'
import { setupPages } from './console/setup/pages.tsx'
import { statementApi } from './console/statement/api.ts'
import { statementPages } from './console/statement/pages.tsx'
import { diagnosticsPages } from './console/system/pages.tsx'
import { taskApi } from './console/tasks/api.ts'
import { taskPages } from './console/tasks/pages.tsx'
import { tokenApi } from './console/tokens/api.ts'
import { tokenPages } from './console/tokens/pages.tsx'
import { topUpApi, userApi } from './console/users/api.ts'
import { userPages } from './console/users/pages.tsx'
import { walletApi } from './console/wallet/api.ts'
import { walletPages } from './console/wallet/pages.tsx'
import { errorResponse } from './error-handler.ts'
import { servedRoutes } from './served-routes.ts'
import { assets } from './web/assets.ts'
import { operatorFiles } from './web/files.ts'
import { onlyHttps } from './web/https.ts'
import { limits } from './web/ip-rate-limit.ts'
import { knownHost } from './web/known-host.ts'
import { queryAsText } from './web/query.ts'

const apiDocument = apiDocumentOf(() => servedRoutes(consoleApp.routes))

/** Without the types of its routes: no client is typed by them, and together they took the compiler half of its time. */
const untyped: AnyElysia = new Elysia({
  // Elysia skips the first 11 characters of a URL in search of its path, more than `http://gw/` has.
  handler: { standardHostname: false },
})

export const consoleApp: AnyElysia = untyped
  .onError(({ error, request, server }) => errorResponse(error, { request, server, body: undefined }))
  .use(knownHost)
  .use(onlyHttps)
  .use(limits)
  .use(setupGate)
  .use(queryAsText)
  .use(assets)
  .use(operatorFiles)
  .use(preferenceRoutes)
  .use(homePages)
  .use(setupApi)
  .use(setupPages)
  .use(setupImportPages)
  .use(accountApi)
  .use(accountPages)
  .use(apiDocumentRoute(apiDocument))
  .use(apiDocsPages(apiDocument))
  .use(auditLogApi)
  .use(auditLogPages)
  .use(undoPages)
  .use(confirmApi)
  .use(confirmPages)
  .use(passkeyApi)
  .use(passkeyPages)
  .use(signInLinkPages)
  .use(secondFactorApi)
  .use(secondFactorPages)
  .use(availabilityPages)
  .use(brandingApi)
  .use(brandingPages)
  .use(channelApi)
  .use(channelBatchApi)
  .use(channelBatchPages)
  .use(channelPages)
  .use(chatPages)
  .use(channelReportPages)
  .use(channelHistoryPages)
  .use(routePreviewPages)
  .use(dataApi)
  .use(dashboardPages)
  .use(logApi)
  .use(logPages)
  .use(adminCallPages)
  .use(callPages)
  .use(diagnosticsPages)
  .use(meApi)
  .use(mePages)
  .use(inboxApi)
  .use(inboxPages)
  .use(messageApi)
  .use(messagePages)
  .use(oauthApi)
  .use(oauthPages)
  .use(optionApi)
  .use(suggestionApi)
  .use(palettePages)
  .use(passwordResetApi)
  .use(passwordResetPages)
  .use(paymentApi)
  .use(paymentCallback)
  .use(paymentPages)
  .use(playgroundApi)
  .use(playgroundPages)
  .use(pricingApi)
  .use(pricingPages)
  .use(adminSettings)
  .use(priceSettings)
  .use(redemptionApi)
  .use(budgetApi)
  .use(redemptionPages)
  .use(registrationApi)
  .use(registrationPages)
  .use(rewardApi)
  .use(securityApi)
  .use(securityPages)
  .use(statementApi)
  .use(statementPages)
  .use(systemApi)
  .use(taskApi)
  .use(taskPages)
  .use(topUpApi)
  .use(tokenApi)
  .use(tokenPages)
  .use(userApi)
  .use(userPages)
  .use(walletApi)
  .use(walletPages)
