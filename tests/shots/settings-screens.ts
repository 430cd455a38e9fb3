/** Screens of the settings, a tab each. */
import type { Screen } from './screen.ts'

const tabs = { operation: 'operation', ratelimit: 'rate limits', models: 'models', system: 'system', other: 'other' }

const tabWorks = {
  operation:
    'Every option of operation; search, errors at the field, changed marks, history with undo, back to the default.',
  ratelimit: 'Limits of calls per model and user, exemptions.',
  models: 'Gemini, Claude, pass-through, keep-alive, reservation.',
  system:
    'Server address, payment, mail with a test, sign-in providers with discovery, human check; secrets are write-only.',
  other: 'Announcement, name and logo, pages and footer with preview, custom code, updates, system, export and import.',
}

export const settingsScreens: Screen[] = [
  ...(['operation', 'ratelimit', 'models', 'system', 'other'] as const).map(tab => ({
    ...{ name: `settings-${tab}`, title: `Settings: ${tabs[tab]}`, path: `/admin/settings?tab=${tab}` },
    reader: 'root' as const,
    works: tabWorks[tab],
  })),
  {
    ...{ name: 'prices', title: 'Settings: prices', path: '/admin/settings?tab=operation&area=prices', reader: 'root' },
    works: 'Visual editor, tables, models without a price, groups, fallback, import, history with undo, simulation.',
  },
]
