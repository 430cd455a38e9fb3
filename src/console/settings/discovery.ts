/** Fills in the addresses of the OpenID provider; they are saved with the section. */
import { OidcDiscovery } from '../../contracts/option.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { discoverEndpoints } from '../../domain/oauth/index.ts'
import { currentOptions, type OptionKey } from '../../domain/options/index.ts'
import { translator } from '../../locales/index.ts'
import { formFields } from '../../web/forms.ts'
import type { PageRequest } from '../list-page.ts'
import { draftOf } from './changes.ts'
import { showTab } from './pages.tsx'
import { openTab } from './request.ts'

export async function discover(page: PageRequest): Promise<Response> {
  const form = formFields(page.body)
  const draft = draftOf(form)
  const tab = openTab(page, 'system')
  const t = translator(page.visit.language)
  try {
    const { well_known } = parse(OidcDiscovery, { well_known: form['oidc.well_known'] ?? '' })
    for (const [name, address] of Object.entries(await discoverEndpoints(well_known))) {
      const key = `oidc.${name}` as OptionKey
      if (address !== currentOptions().text(key)) draft.typed.set(key, address)
      else draft.typed.delete(key)
    }
    return showTab({ ...tab, outcome: { of: 'oidc', ok: true, text: t('assist.discovered') } }, draft)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    draft.errors.set('oidc.well_known', t(error.code, error.params))
    return showTab(tab, draft)
  }
}
