/** Where on the token page someone is: what the list shows, and what is open over it. */
export interface TokensView {
  page?: number
  keyword?: string
}

export const TOKENS_PATH = '/app/tokens'

/** What can be open: its name, with the token or tokens it is about. */
type Over = 'new' | 'selected' | { edit: number } | { delete: number | string } | { keys: string } | { created: string }

export function tokensAt({ page = 1, keyword }: TokensView, over?: Over): string {
  const query = new URLSearchParams()
  if (keyword) query.set('keyword', keyword)
  if (page > 1) query.set('p', String(page))
  if (typeof over === 'object') for (const [name, value] of Object.entries(over)) query.set(name, String(value))
  const text = [query.toString(), typeof over === 'string' ? over : ''].filter(Boolean).join('&')
  return text ? `${TOKENS_PATH}?${text}` : TOKENS_PATH
}

/** The log of the calls that were made with a token. */
export const usageLogUrl = ({ name }: { name: string }) => `/app/logs/api-usage?token_name=${encodeURIComponent(name)}`
