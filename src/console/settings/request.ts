/** A request for the settings page. */
import { z } from 'zod'
import { type ToolOutcome, tabAt } from '../../../views/settings/view.ts'
import { SETTINGS_TABS, type SettingsTab } from '../../contracts/option.ts'
import { optional } from '../../contracts/paging.ts'
import type { PageRequest } from '../list-page.ts'
import { pageAt } from '../visit.ts'

export const TabQuery = z.object({
  tab: z.enum(SETTINGS_TABS).catch('operation'),
  q: optional,
})

/** Parameters of its drawers and dialogs are read from `visit.url` by what opens them. */
export type SettingsPage = PageRequest<z.output<typeof TabQuery>> & { outcome?: ToolOutcome }

/** The same request as one for a tab: where a form of that tab is shown again. */
export const openTab = (page: PageRequest, tab: SettingsTab): SettingsPage =>
  pageAt({ ...page, query: { ...TabQuery.parse({}), tab } }, tabAt(tab))

/** A parameter of the query that opens something. */
export const openedBy = ({ visit }: SettingsPage, name: string): string | null =>
  new URL(visit.url, 'http://site.invalid').searchParams.get(name)
