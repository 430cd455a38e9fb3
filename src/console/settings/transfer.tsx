/** Settings as a file: its download, its preview, and taking it over. */
import { ImportPreview } from '../../../views/settings/transfer.tsx'
import { sectionAt, tabAt } from '../../../views/settings/view.ts'
import { SettingsImport } from '../../contracts/option.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { exportOptions, importOptions, isOptionKey, reviewImport } from '../../domain/options/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { day } from '../../pure/time.ts'
import { formFields } from '../../web/forms.ts'
import type { PageRequest } from '../list-page.ts'
import { optionLabel } from '../option-words.ts'
import { redirectTo } from '../page.tsx'
import { showTab } from './pages.tsx'
import { openTab } from './request.ts'

export async function exportFile({ visit }: PageRequest): Promise<Response> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="tollgate-settings-${day(now(), visit.zone)}.json"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(`${JSON.stringify(exportOptions(), null, 2)}\n`, { headers })
}

/** Shows what the file would change; its button sends it again, to be taken over. */
export async function importFile(page: PageRequest): Promise<Response> {
  const { file = '', table = '', action } = formFields(page.body)
  const text = file.trim() || table
  const tab = openTab(page, 'other')
  const t = translator(page.visit.language)
  try {
    const texts = textsIn(text)
    if (action === 'apply') {
      const { changes } = await importOptions(texts, page.actor)
      return redirectTo(tabAt('other'), { kind: 'success', text: t('revision.imported', { count: changes.length }) })
    }
    return showTab(tab, undefined, preview(tab, text, texts))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return showTab({ ...tab, outcome: { of: 'import', ok: false, text: t(error.code, error.params) } })
  }
}

function preview({ visit }: PageRequest, text: string, texts: Record<string, string>) {
  const t = translator(visit.language)
  const labelOf = (key: string) => (isOptionKey(key) ? optionLabel(key, visit) : key)
  const { changes, invalid, ...review } = reviewImport(texts)
  return (
    <ImportPreview
      text={text}
      close={sectionAt('other', 'transfer')}
      changes={changes.map(change => ({ ...change, label: labelOf(change.key) }))}
      invalid={invalid.map(({ key, code, params }) => ({ label: labelOf(key), message: t(code, params) }))}
      {...review}
    />
  )
}

/** @throws Refusal 400 `revision.not_settings` */
function textsIn(text: string): Record<string, string> {
  try {
    return parse(SettingsImport, JSON.parse(text)).options
  } catch {
    throw new Refusal('revision.not_settings', {}, 400)
  }
}
