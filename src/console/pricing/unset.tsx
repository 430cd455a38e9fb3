/** Models that channels serve without a price, and setting the prices of several. */
import { z } from 'zod'
import { settingsAt } from '../../../views/pricing/settings-view.ts'
import { BATCH_MODES, BatchDrawer, UnsetModels } from '../../../views/pricing/unset.tsx'
import type { PriceEntries } from '../../contracts/pricing.ts'
import { servedModels, textsWith } from '../../domain/pricing/index.ts'
import { fuzzy } from '../../pure/fuzzy.ts'
import { formFields } from '../../web/forms.ts'
import { back, pagingOf, redirectPastEnd } from '../list-page.ts'
import { pageAt } from '../visit.ts'
import { amount } from './amount.ts'
import { overlayOf, withDigests } from './models.tsx'
import {
  type FormOutcome,
  type PriceSettingsPage,
  priceTabs,
  showArea,
  submit,
  untouched,
  viewOf,
} from './settings-page.tsx'

export async function showUnset(
  page: PriceSettingsPage,
  overlay = overlayOf(page),
  refused = false,
): Promise<Response> {
  const { page: number, size, offset } = pagingOf(page)
  const view = { ...viewOf(page.query), view: 'unset' as const }
  const names = fuzzy((await servedModels()).unpriced, view.keyword ?? '', name => name)
  const redirect = redirectPastEnd(pagingOf(page), names.length, last => settingsAt({ ...view, page: last }))
  if (redirect) return redirect
  const list = { items: names.slice(offset, offset + size), total: names.length, page: number, page_size: size }
  const content = (
    <>
      {await priceTabs('unset')}
      <UnsetModels list={list} view={view} />
    </>
  )
  return showArea(page, { content, overlay, refused })
}

const Batch = z.object({ ids: z.array(z.string()).default([]), action: z.string().default('') })

export async function saveUnset(page: PriceSettingsPage): Promise<Response> {
  const { ids, action } = Batch.parse(page.body)
  if (!ids.length) return back(page, 'pricing.select_first', {}, 'error')
  const form = formFields(page.body) as Record<string, string>
  const show = (outcome: FormOutcome) => {
    const view = { area: 'prices', view: 'unset' } as const
    const drawer = <BatchDrawer view={view} names={ids} values={form} {...outcome} />
    return showUnset(pageAt(page, settingsAt(view)), drawer, Object.keys(outcome.errors).length > 0)
  }
  if (action === 'choose') return show(untouched)
  return submit(page, {
    draft: () => {
      const entries = entriesIn(form)
      return withDigests(textsWith(ids.map(name => [name, entries])))
    },
    fieldOf: key => (key in form ? key : undefined),
    show,
    done: 'pricing.batch_saved',
    params: { count: ids.length },
  })
}

/** @throws ZodError at a field */
function entriesIn(form: Record<string, string>): PriceEntries {
  const mode = BATCH_MODES.find(one => one === form.mode) ?? 'ratio'
  if (mode === 'price') return { ModelPrice: amount(form, 'price', true) }
  const ModelRatio = amount(form, 'ratio', true)
  return mode === 'ratio' ? { ModelRatio } : { ModelRatio, CompletionRatio: amount(form, 'completion_ratio', true) }
}
