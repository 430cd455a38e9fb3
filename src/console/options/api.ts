/** JSON API of options for administrators, and the public status of the site. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { TestMail } from '../../contracts/mail.ts'
import { FallbackDraft, OidcDiscovery, OptionChange, SettingsImport } from '../../contracts/option.ts'
import { Id, optional, pageOf } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { databaseUnavailable, Refusal } from '../../contracts/refusal.ts'
import { sendNow } from '../../domain/mail/index.ts'
import { discoverEndpoints } from '../../domain/oauth/index.ts'
import {
  checkFallback,
  exportOptions,
  importOptions,
  keysOf,
  listOptions,
  optionHistory,
  optionKeys,
  publicStatus,
  resetModelRatio,
  reviewImport,
  sectionNames,
  setOption,
  undoOption,
} from '../../domain/options/index.ts'
import { isSetUp } from '../../domain/setup/index.ts'
import { databaseState } from '../../domain/system/index.ts'
import { ownView } from '../../domain/users/index.ts'
import { translate } from '../../locales/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { languageFor } from '../../web/request.ts'
import { guard } from '../guard.ts'

/** A section, or every option. */
const HistoryQuery = z.object({ p: optional, page_size: optional, section: z.enum(sectionNames).optional() })

export const optionApi = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .get('/api/status', async () => ok({ ...publicStatus(), setup: await isSetUp() }))
  .get(
    '/api/status/test',
    async ({ request }) => {
      if (!(await databaseState())) throw databaseUnavailable()
      return ok(null, translate(languageFor(request), 'docs.database_answers'))
    },
    { admin: true },
  )
  .get('/api/option/', () => ok(listOptions()), { admin: true })
  .put(
    '/api/option/',
    async ({ body, actor }) => {
      const { key, value } = parse(OptionChange, body)
      return ok(await setOption(key, value, actor))
    },
    { admin: true },
  )
  .post(
    '/api/option/rest_model_ratio',
    async ({ actor, request }) =>
      ok(await resetModelRatio(actor), translate(languageFor(request), 'pricing.was_reset')),
    { admin: true },
  )
  .post('/api/option/validate_fallback_pricing', ({ body }) => ok(checkFallback(parse(FallbackDraft, body))), {
    admin: true,
  })
  .get('/api/option/export', () => ok(exportOptions()), { root: true })
  .post(
    '/api/option/import',
    async ({ body, actor }) => {
      const { options, preview } = parse(SettingsImport, body)
      return ok(preview ? reviewImport(options) : await importOptions(options, actor))
    },
    { root: true },
  )
  .get(
    '/api/option/history',
    async ({ query }) => ok(await optionHistory(query.section ? keysOf(query.section) : optionKeys, pageOf(query, 1))),
    { admin: true, query: HistoryQuery },
  )
  .post('/api/option/history/:id/undo', async ({ params, actor }) => ok(await undoOption(actor, params.id)), {
    admin: true,
    params: Id,
  })
  .post(
    '/api/option/oidc_discovery',
    async ({ body }) => ok(await discoverEndpoints(parse(OidcDiscovery, body).well_known)),
    { root: true, critical: 'oidc-discovery' },
  )
  .post(
    '/api/option/test_mail',
    async ({ request, body, caller }) => {
      const to = parse(TestMail, body).to ?? (await ownView(caller.id)).email
      if (!to) throw new Refusal('mail.no_own_address', {}, 400, 'to')
      return ok(await sendNow({ to, kind: 'test', language: languageFor(request) }))
    },
    { root: true, critical: 'test-mail' },
  )
