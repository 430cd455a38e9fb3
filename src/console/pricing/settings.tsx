/** Price administration: the pages of prices in the settings. */
import { SETTINGS_PATH } from '../../contracts/option.ts'
import { Id } from '../../contracts/paging.ts'
import { listPage } from '../list-page.ts'
import { saveFallback, showFallback } from './fallback.tsx'
import { showHistory, undo } from './history.tsx'
import { compare, showImport, take } from './import.tsx'
import { deleteModel, reset, saveModel, showModels } from './models.tsx'
import { type PriceSettingsPage, SettingsQuery } from './settings-page.tsx'
import { saveGroups, saveTables, showGroups, showTables } from './tables.tsx'
import { saveUnset, showUnset } from './unset.tsx'

const access = { userPage: 'admin', query: SettingsQuery } as const

export const priceSettings = listPage(SETTINGS_PATH, undefined, 'admin')
  .post('/prices/tables', saveTables, access)
  .post('/prices/groups', saveGroups, access)
  .post('/prices/fallback', saveFallback, access)
  .post('/prices/models', saveModel, access)
  .post('/prices/models/delete', deleteModel, access)
  .post('/prices/unset', saveUnset, access)
  .post('/prices/reset', reset, access)
  .post('/prices/import', compare, access)
  .post('/prices/import/take', take, access)
  .post('/prices/:id/undo', undo, { ...access, params: Id })

export async function showPrices(page: PriceSettingsPage): Promise<Response> {
  const { area, view } = page.query
  if (area === 'groups') return showGroups(page)
  if (area === 'fallback') return showFallback(page)
  if (area === 'import') return showImport(page)
  if (area === 'history') return showHistory(page)
  if (view === 'tables') return showTables(page)
  return view === 'unset' ? showUnset(page) : showModels(page)
}
