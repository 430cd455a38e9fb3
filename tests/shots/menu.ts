/** The menu in the pictures: its words stand beside them, so that a test knows pictures of an older menu. */
import { join } from 'node:path'
import { Role } from '../../src/contracts/account.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { translator } from '../../src/locales/index.ts'
import { type Language, languages } from '../../src/locales/languages.ts'
import { sidebarSections, topbarEntries } from '../../views/layout/menu.ts'
import { FOLDER } from './looks.ts'

export const MENU_PATH = join(FOLDER, 'menu.txt')

/** Every entry that the demo shows to its root account, without chats, which are the operator's. */
const visit = {
  caller: { role: Role.root },
  status: { enable_data_export: true, enable_drawing: true, enable_task: true, chats: [], docs_link: '' },
  closed_channels: 0,
} as unknown as Visit

/** A line for each entry: its address, and its label in each language. */
export function menuWords(): string {
  const entries = (Object.keys(languages) as Language[]).map(language => {
    const t = translator(language)
    return [...topbarEntries(visit, t), ...sidebarSections(visit, t).flatMap(section => section.entries)]
  })
  return `${entries[0]!.map(({ href }, index) => [href, ...entries.map(list => list[index]!.label)].join(' | ')).join('\n')}\n`
}
