/** The settings page: its tabs, and price administration under the same address. */
import { SETTINGS_PATH } from '../contracts/option.ts'
import { Id } from '../contracts/paging.ts'
import { criticalLimit } from '../web/ip-rate-limit.ts'
import { listPage } from './list-page.ts'
import { showPrices } from './pricing/settings.tsx'
import { isPricePage, SettingsQuery } from './pricing/settings-page.tsx'
import { discover } from './settings/discovery.ts'
import { undo } from './settings/history.tsx'
import { testMail } from './settings/mail-test.tsx'
import { showTab } from './settings/pages.tsx'
import { PreviewQuery, showPreview } from './settings/preview.tsx'
import { TabQuery } from './settings/request.ts'
import { save } from './settings/save.tsx'
import { exportFile, importFile } from './settings/transfer.tsx'

const access = { userPage: 'admin' } as const
const ofRoot = { userPage: 'root' } as const

export const adminSettings = listPage(SETTINGS_PATH, undefined, 'admin')
  .get(
    '',
    page =>
      isPricePage(page.query)
        ? showPrices({ ...page, query: SettingsQuery.parse(page.query) })
        : showTab({ ...page, query: TabQuery.parse(page.query) }),
    access,
  )
  .use(criticalLimit)
  .get('/export.json', exportFile, ofRoot)
  .post('/save', page => save({ ...page, query: TabQuery.parse({}) }), access)
  .post('/import', importFile, ofRoot)
  .post('/preview', showPreview, { ...access, query: PreviewQuery })
  .post('/history/:id/undo', undo, { ...access, params: Id })
  .post('/oidc-discovery', discover, { ...ofRoot, critical: 'oidc-discovery' })
  .post('/test-mail', testMail, { ...ofRoot, critical: 'test-mail' })
