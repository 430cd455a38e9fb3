/** Routes of the tabs of the settings page. */
import { areaEntries } from '../../../views/pricing/settings.tsx'
import { Tab, type TabProps } from '../../../views/settings/settings.tsx'
import { catalog, defaultText, isOptionKey, tabOf, unknownOptions } from '../../domain/options/index.ts'
import { translator } from '../../locales/index.ts'
import { render } from '../page.tsx'
import { extras, more, overlayOf } from './extras.tsx'
import { type RefusedSettings, sectionView, shown, shownSections } from './fields.ts'
import type { SettingsPage } from './request.ts'
import { found } from './search.tsx'

const INVALID = 422

/** @param dialog over the page, in place of the one of the address */
export async function showTab(page: SettingsPage, refused?: RefusedSettings, dialog?: TabProps['overlay']) {
  const { request, visit, query } = page
  const { tab, q } = query
  const title = translator(visit.language)('shell.settings')
  if (q !== undefined && !refused) return render(request, visit, found(page, q), { title })
  const draft = refused ?? defaultDraft(page)
  const sections = await Promise.all(
    shownSections(tab).map(async name => ({
      ...sectionView(name, visit, draft),
      actions: await extras[name]?.actions?.(page),
      footer: await extras[name]?.footer?.(page),
    })),
  )
  const content = (
    <Tab
      tab={tab}
      sections={sections}
      more={(await more[tab]?.(page)) ?? []}
      links={tab === 'operation' ? areaEntries(translator(visit.language)) : undefined}
      unknown={tab === 'other' ? unknownOptions() : []}
      overlay={dialog ?? (await overlayOf(page))}
    />
  )
  return render(request, visit, content, { title, status: isInvalid(page, refused) && !dialog ? INVALID : 200 })
}

const isInvalid = ({ outcome }: SettingsPage, refused?: RefusedSettings) =>
  outcome?.ok === false || (refused !== undefined && refused.errors.size + refused.problems.size > 0)

/** `default=KEY` shows the default in a field; it is not saved yet. */
function defaultDraft({ visit, query: { tab } }: SettingsPage): RefusedSettings | undefined {
  const key = new URL(visit.url, 'http://site.invalid').searchParams.get('default') ?? ''
  if (!isOptionKey(key) || catalog[key].secret || tabOf(catalog[key].section_name) !== tab) return
  return {
    typed: new Map([[key, shown(key, defaultText(key))]]),
    errors: new Map(),
    conflicts: new Set(),
    problems: new Map(),
  }
}
