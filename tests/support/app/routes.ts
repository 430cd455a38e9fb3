/** Who may use each route of the console: a route without a row here fails the suite. */
import { expect } from 'bun:test'
import { consoleApp } from '../../../src/console-app.ts'
import { app } from './app.ts'

/** Of the API of models and of the console. */
export const routes = [...app.routes, ...consoleApp.routes].filter(({ path }) => path !== '/*' && path !== '/api/*')

const anyone = `
  GET /api/user/epay/notify, POST /api/user/epay/notify, POST /api/user/login/passkey,
  POST /api/user/login/passkey/challenge, POST /api/user/login/second-factor,
  POST /api/user/login/second-factor/challenge, GET /login/second-factor, POST /login/second-factor,
  POST /login/passkey, GET /api/oauth/state, GET /api/oauth/:provider, GET /api/oauth/wechat,
  GET /api/oauth/telegram/login, GET /oauth/:provider/start, GET /oauth/:provider, GET /oauth/wechat/start,
  POST /oauth/wechat, GET /oauth/telegram/start, GET /oauth/telegram, GET /build/:name, GET /favicon.svg,
  GET /favicon.ico, GET /healthz, GET /readyz, GET /metrics, GET /custom/global.css, GET /custom/global.js, POST /preferences,
  GET /, GET /pricing, POST /pricing/selected, GET /status, GET /about, GET /setup, POST /setup, GET /setup/import, GET /setup/import/:id, POST /setup/import, POST /setup/import/:id, GET /api/setup, POST /api/setup,
  GET /login, POST /login, GET /login/link, POST /logout, POST /api/user/login, GET /api/user/logout, GET /api/status, GET /api/notice,
  GET /api/about, GET /api/home_page_content, GET /api/user/groups, GET /api/pricing, GET /api/ratio_config,
  GET /register, POST /register, POST /api/user/register, GET /api/verification, GET /reset, POST /reset, GET /try-it/receipt/:request_id,
  GET /api/reset_password, GET /user/reset, POST /user/reset, POST /api/user/reset, GET /openapi.json, GET /docs/api`

const users = `
  POST /api/user/amount, POST /api/user/pay, GET /api/user/topup/self, POST /app/wallet/redeem, POST /app/wallet/pay,
  GET /app/wallet/orders/:id, GET /app/wallet/orders/:id/pay, POST /api/user/confirm/challenge,
  GET /api/user/sessions, DELETE /api/user/sessions, DELETE /api/user/sessions/:id, GET /api/user/second-factors,
  POST /api/user/authenticator, POST /api/user/authenticator/confirm, DELETE /api/user/authenticator,
  POST /api/user/recovery-codes, POST /api/user/passkeys, POST /api/user/passkey-challenge,
  PUT /api/user/passkeys/:id, DELETE /api/user/passkeys/:id, GET /app/me/security,
  POST /app/me/security/sessions/end-others, POST /app/me/security/sessions/:id/end,
  POST /app/me/security/authenticator, POST /app/me/security/authenticator/confirm,
  POST /app/me/security/authenticator/remove, POST /app/me/security/recovery-codes, POST /app/me/security/passkeys,
  POST /app/me/security/passkeys/:id/rename, POST /app/me/security/passkeys/:id/remove, GET /api/oauth/wechat/bind,
  GET /api/oauth/email/bind, GET /api/oauth/telegram/bind, DELETE /api/oauth/:provider, GET /oauth/email/start,
  POST /oauth/email, POST /oauth/:provider/unbind, POST /api/user/topup, GET /app/me, POST /app/me/profile,
  POST /app/me/password, POST /app/me/token, POST /app/me/delete, POST /app/me/notifications,
  POST /app/me/notifications/test, POST /app/me/prices, GET /app/me/confirm, POST /app/me/confirm,
  POST /api/user/confirm, GET /api/user/self, PUT /api/user/self, DELETE /api/user/self, PUT /api/user/setting,
  GET /api/user/token, GET /api/user/aff, POST /api/user/aff_transfer, GET /api/user/check_in_status,
  POST /api/user/check_in, POST /app/me/check-in, POST /app/me/transfer, GET /api/user/self/groups, GET /api/models,
  GET /api/user/models, GET /app/tokens, POST /app/tokens, POST /app/tokens/columns, POST /app/tokens/selected,
  GET /app/tokens/calls/:request_id, GET /app/tokens/:id, POST /app/tokens/:id, POST /app/tokens/:id/enable,
  POST /app/tokens/:id/disable, POST /app/tokens/:id/undo-disabling, POST /app/tokens/:id/delete, POST /app/tokens/:id/restore, POST /app/tokens/:id/rotate, POST /app/tokens/:id/budgets,
  POST /app/tokens/budgets/:id, POST /app/tokens/budgets/:id/delete, GET /api/token/,
  GET /api/token/search, GET /api/token/:id, POST /api/token/, PUT /api/token/, DELETE /api/token/:id,
  GET /app/logs/api-usage, GET /app/logs/api-usage/export.csv, POST /app/logs/api-usage/columns, GET /api/log/self,
  GET /api/log/self/stat, GET /app/wallet, GET /app/dashboard, GET /app/dashboard/export.csv, GET /api/data/self, GET /app/tokens/export.csv,
  GET /app/logs/api-usage/new, POST /app/logs/api-usage/filters, POST /app/logs/api-usage/filters/:id/delete,
  GET /api/log/token, GET /app/inbox, GET /app/inbox/bell, GET /app/inbox/:id, POST /app/inbox/read,
  GET /api/user/messages, GET /api/user/messages/unread_count, GET /api/user/messages/:id,
  PUT /api/user/messages/read, PUT /api/user/messages/:id/read, GET /playground, GET /playground/make, GET /chat, GET /chat/:id,
  GET /chat2link, POST /chat/consent, GET /app/tokens/:id/chat/:chat, GET /api/user/statement, GET /app/statement,
  GET /app/statement/export.csv, GET /api/playground/models, GET /api/playground/receipt/:request_id, GET /palette,
  GET /palette/shortcuts, GET /api/suggestions/models, GET /api/suggestions/tokens, POST /docs/api/key,
  GET /api/log/self/search, GET /api/mj/self, GET /api/task/self, GET /app/logs/drawing, GET /app/logs/drawing/rows,
  GET /app/logs/drawing/export.csv, POST /app/logs/drawing/columns, GET /app/logs/tasks, GET /app/logs/tasks/rows,
  GET /app/logs/tasks/export.csv, POST /app/logs/tasks/columns, GET /app/calls/:request_id,
  GET /api/budget/self, POST /api/budget/self, PUT /api/budget/self/:id, DELETE /api/budget/self/:id`

const admins = `
  GET /api/data/, GET /api/data/affinity, GET /api/channel/, GET /api/channel/search, GET /api/channel/models,
  GET /api/channel/models_enabled, GET /api/user/topup, GET /admin/orders, GET /admin/orders/export.csv, GET /api/channel/test/:id,
  GET /api/channel/test, GET /api/channel/fetch_models/:id, POST /api/channel/fetch_models,
  GET /api/channel/update_balance/:id, GET /api/channel/update_balance, GET /api/channel/:id, POST /api/channel/,
  PUT /api/channel/, PUT /api/channel/:id/keys/:key, DELETE /api/channel/:id, GET /channel/add, GET /channel/edit/:id,
  GET /admin/channels, GET /admin/channels/export.csv, GET /admin/messages/export.csv, GET /admin/channels/:id,
  POST /admin/channels, POST /admin/channels/test, POST /admin/channels/:id, POST /admin/channels/:id/delete,
  POST /admin/channels/:id/test, POST /admin/channels/:id/status, POST /admin/channels/:id/successor,
  POST /admin/channels/:id/routing,
  POST /admin/channels/:id/keys, GET /api/log/, GET /app/logs/api-usage/clearing, POST /app/logs/api-usage/clear,
  POST /app/logs/api-usage/:id/refund,
  GET /api/log/stat, DELETE /api/log/, GET /api/option/, PUT /api/option/, POST /api/option/rest_model_ratio,
  POST /api/option/validate_fallback_pricing, GET /api/user/:id, GET /api/user/, GET /api/user/search,
  POST /api/user/, PUT /api/user/, POST /api/user/manage, DELETE /api/user/:id, POST /admin/users/columns,
  GET /admin/users/export.csv, GET /admin/users/:id, POST /admin/users, POST /admin/users/selected,
  POST /admin/users/:id, POST /admin/users/:id/quota, POST /admin/users/:id/manage, POST /admin/users/:id/sign-out,
  POST /admin/users/:id/reset-link, POST /admin/users/:id/delete, POST /admin/users/:id/group,
  POST /admin/users/:id/add-quota, POST /admin/undo/:request_id, GET /api/group/,
  GET /app/tokens/first-steps, GET /admin/users, GET /admin/settings, POST /admin/settings/prices/tables,
  POST /admin/settings/prices/groups, POST /admin/settings/prices/fallback, POST /admin/settings/prices/models,
  POST /admin/settings/prices/models/delete, POST /admin/settings/prices/unset, POST /admin/settings/prices/reset,
  POST /admin/settings/prices/import, POST /admin/settings/prices/import/take, POST /admin/settings/prices/:id/undo,
  GET /admin/messages, GET /api/admin/messages, GET /api/admin/messages/search, POST /api/admin/messages,
  GET /api/admin/messages/:id, GET /api/admin/messages/:id/recipients, PUT /api/admin/messages/:id,
  DELETE /api/admin/messages/:id, GET /admin/messages/:id, GET /admin/messages/:id/recipients, POST /admin/messages,
  POST /admin/messages/preview, POST /admin/messages/recipients, POST /admin/messages/:id,
  POST /admin/messages/:id/delete, GET /user/edit, GET /user/edit/:id, GET /api/redemption/,
  GET /api/redemption/search, GET /api/redemption/count-by-name, GET /api/redemption/:id, POST /api/redemption/,
  PUT /api/redemption/, PUT /api/redemption/batch-disable, DELETE /api/redemption/:id,
  DELETE /api/redemption/delete-disabled, DELETE /api/redemption/delete-by-name, GET /admin/coupons,
  GET /admin/coupons/export.csv, GET /admin/coupons/:id, POST /admin/coupons, POST /admin/coupons/columns,
  POST /admin/coupons/selected, POST /admin/coupons/count-by-name, POST /admin/coupons/delete-by-name,
  POST /admin/coupons/delete-disabled, POST /admin/coupons/:id, POST /admin/coupons/:id/switch,
  POST /admin/coupons/:id/delete, POST /api/topup, GET /api/user/:id/statement, GET /admin/users/:id/statement,
  GET /admin/users/:id/statement/export.csv, POST /admin/settings/save, POST /api/channel/unpriced,
  GET /api/suggestions/channels, GET /api/suggestions/users, GET /api/option/history,
  POST /api/option/history/:id/undo, GET /api/system/, POST /admin/settings/preview,
  POST /admin/settings/history/:id/undo, POST /api/channel/batch, POST /api/channel/batch/tag,
  POST /api/channel/batch/enabled, POST /api/channel/batch/disabled, POST /api/channel/batch/test,
  PUT /api/channel/tag, POST /api/channel/tag/enabled, POST /api/channel/tag/disabled, POST /api/channel/tag/test,
  DELETE /api/channel/disabled, POST /api/channel/fix, POST /api/channel/copy/:id, GET /api/channel/run/:kind,
  POST /admin/channels/columns, POST /admin/channels/selected, POST /admin/channels/set-tag,
  POST /admin/channels/delete-all, POST /admin/channels/delete-disabled, POST /admin/channels/tag,
  POST /admin/channels/tag/switch, POST /admin/channels/tag/test, POST /admin/channels/balance,
  POST /admin/channels/fix, POST /admin/channels/:id/copy, POST /admin/channels/:id/balance,
  GET /admin/channels/:id/menu, GET /admin/users/:id/menu, GET /admin/channels/run/:kind,
  GET /api/mj/, GET /api/task/, POST /app/logs/drawing/:id/ask, POST /app/logs/drawing/:id/fail,
  POST /app/logs/tasks/:id/ask, POST /app/logs/tasks/:id/fail,
  GET /api/log/search, GET /api/status/test, GET /api/channel/routes, GET /admin/routes, GET /admin/channels/:id/report,
  GET /admin/channels/:id/history, GET /api/channel/:id/history,
  GET /admin/calls/:request_id, GET /admin/diagnostics, GET /admin/diagnostics/bundle.json,
  POST /admin/diagnostics/audit, POST /admin/diagnostics/jobs/:name/run,
  GET /api/budget/, POST /api/budget/, PUT /api/budget/:id, DELETE /api/budget/:id,
  POST /admin/users/:id/budgets, POST /admin/users/budgets/:id, POST /admin/users/budgets/:id/delete,
  POST /admin/channels/:id/budgets, POST /admin/channels/budgets/:id, POST /admin/channels/budgets/:id/delete`

const root = `
  GET /api/user/topup/stray, POST /api/user/topup/stray/:id/credit, POST /api/user/topup/stray/:id/dismiss,
  POST /admin/audit/:id/undo, GET /admin/orders/stray, POST /admin/orders/stray/:id/credit, POST /admin/orders/stray/:id/dismiss,
  POST /api/option/test_mail, GET /api/audit/, GET /admin/audit, GET /admin/audit/export.csv, GET /api/option/export,
  POST /api/option/import, POST /api/option/oidc_discovery, POST /api/system/check_update,
  GET /admin/settings/export.json, POST /admin/settings/import, POST /admin/settings/oidc-discovery,
  POST /admin/settings/test-mail`

const rows = { anyone, users, admins, root }
export type Access = keyof typeof rows

const namesIn = (list: string) => list.trim().split(/,\s+/)

/** Access by route, as `GET /api/token/`. */
export const accessOf = new Map(
  Object.entries(rows).flatMap(([access, list]) => namesIn(list).map(name => [name, access as Access] as const)),
)

export interface Route {
  method: string
  path: string
  name: string
}

/** The relay's routes: only API keys count there, in the playground only sessions, and at callbacks the address. */
export const isOfRelay = ({ path }: Pick<Route, 'path'>) =>
  /^(\/hf|\/:mode)?\/(v1|v1beta|rerank|pg|suno|mj|kling|jimeng|callback|dashboard|api\/usage)(\/|$)/.test(path)

export const isApi = (route: Pick<Route, 'path'>) => route.path.startsWith('/api/') && !isOfRelay(route)

/** The gateway of payments calls it, with a form; it is answered with one word. */
export const isCallback = ({ path }: Pick<Route, 'path'>) => path === '/api/user/epay/notify'

/** Every route of the application, without wildcards and preflights. */
export const allRoutes: Route[] = routes
  .map(({ method, path }) => ({ method, path, name: `${method} ${path}` }))
  .filter(({ path, method }) => !path.includes('*') && method !== 'OPTIONS')

export const consoleRoutes = allRoutes.filter(route => !isOfRelay(route))

const ROUTES_MIN = 20

/** Routes for a loop of a test: without routes it would show nothing. @throws when there are few */
export function many<Chosen extends Pick<Route, 'path'>>(chosen: Chosen[]): Chosen[] {
  expect(chosen.length).toBeGreaterThan(ROUTES_MIN)
  return chosen
}

export const routesFor = (...accesses: Access[]) =>
  consoleRoutes.filter(({ name }) => accesses.includes(accessOf.get(name)!))
