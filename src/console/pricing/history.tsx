/** History of prices, and undoing a change. */
import { ConfirmUndo, History } from '../../../views/pricing/history.tsx'
import { settingsAt } from '../../../views/pricing/settings-view.ts'
import { priceHistory, undoPrices } from '../../domain/pricing/index.ts'
import { act, back, pagingOf, redirectPastEnd } from '../list-page.ts'
import { type PriceSettingsPage, showArea, viewOf } from './settings-page.tsx'

export async function showHistory(page: PriceSettingsPage): Promise<Response> {
  const view = viewOf(page.query)
  const list = await priceHistory(pagingOf(page))
  const redirect = redirectPastEnd(pagingOf(page), list.total, last => settingsAt({ ...view, page: last }))
  if (redirect) return redirect
  const { undo, open } = page.query
  const overlay = undo !== undefined && <ConfirmUndo change={undo} view={view} />
  return showArea(page, { content: <History list={list} view={view} open={open} />, overlay })
}

export const undo = (page: PriceSettingsPage & { params: { id: number } }): Promise<Response> =>
  act(page, async () => {
    await undoPrices(page.actor, page.params.id)
    return back(page, 'pricing.undone')
  })
