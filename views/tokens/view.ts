/** Addresses of the API keys page: what the list shows, what is open over it, where its forms are sent. */
import { addressOf } from '../../src/contracts/list-address.ts'

export interface TokensView {
  page?: number
  keyword?: string
}

export const TOKENS_PATH = '/app/tokens'

/** Drawer or dialog over the list, with the ids of its tokens. */
type Over = 'new' | { edit: number } | { delete: string } | { keys: string } | { created: string }

export const tokensAt = (view: TokensView, over?: Over): string => addressOf(TOKENS_PATH, view, over)

export const exportTokensAt = (view: TokensView): string => addressOf(`${TOKENS_PATH}/export.csv`, { ...view, page: 1 })

/** Receipts of calls, by the id of the request. */
export const CALLS_PATH = `${TOKENS_PATH}/calls`

export const callAt = (request_id: string, tries: number): string => `${CALLS_PATH}/${request_id}?tries=${tries}`

/** Target of a form: `3`, `3/enable`, `3,4/delete`, `selected`. The view is shown again when the form is refused. */
export const tokensAction = (view: TokensView, action: string): string => addressOf(`${TOKENS_PATH}/${action}`, view)
