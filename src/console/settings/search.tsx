/** Finding a setting by its name, its help or its key. */
import { Found } from '../../../views/settings/found.tsx'
import { fieldAt } from '../../../views/settings/view.ts'
import { SETTINGS_TABS } from '../../contracts/option.ts'
import { helpOf, tabOf } from '../../domain/options/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import { optionLabel } from '../option-words.ts'
import { shownKeys, shownSections, titleOf } from './fields.ts'
import type { SettingsPage } from './request.ts'

export function found({ visit, query: { tab } }: SettingsPage, q: string) {
  const t = translator(visit.language)
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const all = SETTINGS_TABS.flatMap(name => shownSections(name)).flatMap(section => {
    const title = titleOf(section, visit)
    const of = tabOf(section)
    return shownKeys(section).map(key => ({
      key,
      href: fieldAt(of, key),
      label: optionLabel(key, visit),
      help: t(helpOf(key) as MessageKey),
      place: `${t(`settings.${of}_tab`)} · ${title}`,
    }))
  })
  const hits = all.filter(hit => {
    const text = [hit.key, hit.label, hit.help, hit.place].join(' ').toLowerCase()
    return words.every(word => text.includes(word))
  })
  return <Found tab={tab} q={q} hits={hits} />
}
