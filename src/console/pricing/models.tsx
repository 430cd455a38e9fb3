/** Visual editor of prices: its list, its drawer, deletion and reset. */

import type { ReactNode } from 'react'
import { ConfirmDelete, ConfirmReset } from '../../../views/pricing/history.tsx'
import { ModelDrawer } from '../../../views/pricing/model-drawer.tsx'
import { type ListedModel, ModelList } from '../../../views/pricing/model-list.tsx'
import { type SettingsView, settingsAt } from '../../../views/pricing/settings-view.ts'
import { NO_PRICE, priceOf } from '../../billing/price.ts'
import { priceLines } from '../../billing/price-lines.ts'
import { entry } from '../../billing/price-table.ts'
import { preferenceCookie } from '../../contracts/preference.ts'
import { MODEL_TABLES, type PriceKey } from '../../contracts/pricing.ts'
import { notFound } from '../../contracts/refusal.ts'
import { option, resetModelRatio } from '../../domain/options/index.ts'
import {
  currentTables,
  entriesOf,
  listedModels,
  priceDigest,
  servedModels,
  textsWith,
} from '../../domain/pricing/index.ts'
import { fuzzy } from '../../pure/fuzzy.ts'
import { formFields } from '../../web/forms.ts'
import { cookieOf } from '../../web/request.ts'
import { back, backWithUndoOfRequest, openAt, pagingOf, redirectPastEnd } from '../list-page.ts'
import type { Form } from './amount.ts'
import { defaultsOf, entriesIn, fieldOfOption, formOf, type Spelling, unit } from './model-form.ts'
import {
  type Draft,
  type FormOutcome,
  type PriceSettingsPage,
  priceTabs,
  showArea,
  submit,
  untouched,
  viewOf,
} from './settings-page.tsx'
import { withRow } from './task-price-form.ts'
import { inBothSpellings, withTier } from './tier-form.ts'

export async function showModels(page: PriceSettingsPage, overlay: ReactNode = overlayOf(page), refused = false) {
  const { page: number, size, offset } = pagingOf(page)
  const view = viewOf(page.query)
  const isAll = view.view === 'models'
  const all = isAll ? listedModels() : (await servedModels()).priced
  const names = fuzzy(all, view.keyword ?? '', name => name)
  const redirect = redirectPastEnd(pagingOf(page), names.length, last => settingsAt({ ...view, page: last }))
  if (redirect) return redirect
  const items = names.slice(offset, offset + size).map(listed)
  const content = (
    <>
      {await priceTabs(isAll ? 'models' : 'served')}
      <ModelList list={{ items, total: names.length, page: number, page_size: size }} view={view} />
    </>
  )
  return showArea(page, { content, overlay, refused })
}

/** Prices before the group ratio. */
function listed(name: string): ListedModel {
  const price = priceOf(name, currentTables(), { group_ratio: 1, accept_unset: true })!
  const lines = priceLines(price, 1)
  const usd = (bucket: string) => lines.find(line => line.bucket === bucket)?.usd ?? 0
  return {
    name,
    is_own: hasEntries(name),
    task: entry(option('TaskPrice'), name),
    model_price: price.model_price === NO_PRICE ? undefined : price.model_price,
    model_ratio: price.model_ratio,
    input: usd('input'),
    cache_read: usd('cache_read'),
    output: usd('output'),
    tiers: price.tiers.length > 0,
  }
}

export function overlayOf({ query, request }: PriceSettingsPage): ReactNode {
  const view = viewOf(query)
  const spelling = spellings.find(one => one === cookieOf(request, SPELLING_COOKIE)) ?? 'usd'
  if (query.reset !== undefined) return <ConfirmReset view={view} />
  if (query.delete !== undefined && hasEntries(query.delete)) return <ConfirmDelete name={query.delete} view={view} />
  if (query.edit !== undefined && hasEntries(query.edit))
    return drawer(view, query.edit, formOf(query.edit, spelling), untouched)
  return (
    query.new !== undefined && drawer(view, undefined, { ...formOf(undefined, spelling), name: query.new }, untouched)
  )
}

const hasEntries = (name: string) => Object.keys(entriesOf(name)).length > 0

const drawer = (view: SettingsView, name: string | undefined, values: Record<string, string>, outcome: FormOutcome) => (
  <ModelDrawer view={view} name={name} values={values} defaults={defaultsOf(name ?? values.name)} {...outcome} />
)

/** The spelling of prices by tokens that a visitor has used last. */
const SPELLING_COOKIE = 'price-spelling'
const spellings: readonly Spelling[] = ['usd', 'ratio']

export async function saveModel(page: PriceSettingsPage): Promise<Response> {
  const form = formFields(page.body) as Record<string, string>
  const response = await answer(page, form)
  const spelling = spellings.find(one => one === form.mode)
  if (spelling) response.headers.append('set-cookie', preferenceCookie(SPELLING_COOKIE, spelling))
  return response
}

function answer(page: PriceSettingsPage, form: Record<string, string>): Response | Promise<Response> {
  const view = viewOf(page.query)
  const overlay = form.edit === undefined ? { new: '' } : { edit: form.edit }
  const show = (shown: Form, outcome: FormOutcome) =>
    showModels(
      openAt(page, overlay, settingsAt(view, overlay)),
      drawer(view, form.edit, inBothSpellings(shown, unit()) as Record<string, string>, outcome),
      Object.keys(outcome.errors).length > 0,
    )
  const row = rowOf(form)
  if (row) return show(row === 'tier' ? withTier(form) : withRow(form, row), untouched)
  return submit(page, {
    draft: () => withDigests(textsWith([entriesIn(form)])),
    fieldOf: fieldOfOption,
    show: outcome => show(form, outcome),
    done: 'pricing.model_saved',
    params: { name: form.edit ?? form.name ?? '' },
  })
}

const rowOf = ({ action }: Form) => (['when', 'add', 'tier'] as const).find(row => action === `add_${row}`)

/** A draft made from the tables as they are now: another change before the commit refuses it. */
export const withDigests = (texts: Draft['texts']): Draft => ({
  texts,
  read: Object.fromEntries((Object.keys(texts) as PriceKey[]).map(key => [key, priceDigest(key)])),
})

export async function deleteModel(page: PriceSettingsPage): Promise<Response> {
  const { delete: name } = page.query
  if (name === undefined || !hasEntries(name)) throw notFound()
  const removed = Object.fromEntries([...MODEL_TABLES, 'TierRatio', 'TaskPrice'].map(table => [table, null]))
  return submit(page, {
    draft: () => withDigests(textsWith([[name, removed]])),
    fieldOf: () => undefined,
    show: ({ errors }) => back(page, 'pricing.not_saved', { reason: errors.form ?? '' }, 'error'),
    done: 'pricing.model_deleted',
    params: { name },
  })
}

export async function reset(page: PriceSettingsPage): Promise<Response> {
  await resetModelRatio(page.actor)
  return backWithUndoOfRequest(page, 'pricing.was_reset')
}
