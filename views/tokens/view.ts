/** Addresses of the API keys page. */
import { listAddress, rowId, rowIds, shown, type ViewOf } from '../../src/contracts/list-address.ts'
import { optional } from '../../src/contracts/paging.ts'
import { type BudgetPlace, budgetOverlays } from '../budgets/view.ts'

export const tokensAddress = listAddress(
  '/app/tokens',
  { keyword: optional },
  {
    new: shown,
    edit: rowId,
    delete: rowIds,
    /** Keys to copy, and those that were created just now. */
    keys: rowIds,
    created: rowIds,
    /** Of the call that a key's drawer offers. */
    model: shown,
    snippet: shown,
    ...budgetOverlays,
  },
)
export type TokensView = ViewOf<typeof tokensAddress>

export const { path: TOKENS_PATH, at: tokensAt, action: tokensAction } = tokensAddress

export const budgetsOfTokens = (view: TokensView): BudgetPlace => ({
  owner: 'token',
  at: overlay => tokensAt(view, overlay),
  action: path => tokensAction(view, path),
})

/** Receipts of calls, by the id of the request. */
export const CALLS_PATH = `${TOKENS_PATH}/calls`
