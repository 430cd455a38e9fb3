/** History of a section of the settings, and undoing one change. */
import { HistoryDrawer, HistoryLink } from '../../../views/settings/history.tsx'
import { tabAt } from '../../../views/settings/view.ts'
import { pageOf } from '../../contracts/paging.ts'
import {
  keysOf,
  type OptionKey,
  optionHistory,
  type SectionName,
  sectionNames,
  tabOf,
  undoOption,
} from '../../domain/options/index.ts'
import { act, back, type PageRequest } from '../list-page.ts'
import { optionLabel } from '../option-words.ts'
import { titleOf } from './fields.ts'
import { openedBy, type SettingsPage } from './request.ts'

const SHOWN = 20

export const historyLink = (section: SectionName) => <HistoryLink section={section} tab={tabOf(section)} />

/** `history=SECTION` opens it, `hp=2` its second page. */
export async function historyOverlay(page: SettingsPage) {
  const name = openedBy(page, 'history')
  const section = sectionNames.find(known => known === name)
  if (!section) return undefined
  const paging = pageOf({ p: openedBy(page, 'hp') ?? '1', size: String(SHOWN) }, 1)
  const list = await optionHistory(keysOf(section), paging)
  return (
    <HistoryDrawer
      section={section}
      tab={tabOf(section)}
      title={titleOf(section, page.visit)}
      list={list}
      labelOf={key => optionLabel(key as OptionKey, page.visit)}
    />
  )
}

export const undo = (page: PageRequest & { params: { id: number } }): Promise<Response> =>
  act({ ...page, list_path: tabAt('operation') }, async () => {
    await undoOption(page.actor, page.params.id)
    return back(page, 'revision.undone')
  })
