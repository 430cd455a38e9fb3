/** A request for the settings page. */
import { z } from 'zod'
import { SETTINGS_TABS } from '../../contracts/option.ts'
import { optional } from '../../contracts/paging.ts'
import type { PageRequest } from '../list-page.ts'

export const TabQuery = z.object({
  tab: z.enum(SETTINGS_TABS).catch('operation'),
  q: optional,
})

/** Parameters of its drawers and dialogs are read from `visit.url` by what opens them. */
export type SettingsPage = PageRequest<z.output<typeof TabQuery>>
