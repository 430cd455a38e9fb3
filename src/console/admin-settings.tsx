/** The settings page: its tabs, and price administration under the same address. */
import { SETTINGS_PATH } from '../../views/settings/view.ts'
import { listPage } from './list-page.ts'
import { showPrices } from './pricing/settings.tsx'
import { isPricePage, SettingsQuery } from './pricing/settings-page.tsx'
import { showTab } from './settings/pages.tsx'
import { TabQuery } from './settings/request.ts'
import { save } from './settings/save.tsx'

const access = { userPage: 'admin' } as const

export const adminSettings = listPage(SETTINGS_PATH, undefined, 'admin')
  .get(
    '',
    page =>
      isPricePage(page.query)
        ? showPrices({ ...page, query: SettingsQuery.parse(page.query) })
        : showTab({ ...page, query: TabQuery.parse(page.query) }),
    access,
  )
  .post('/save', page => save({ ...page, query: TabQuery.parse({}) }), access)
