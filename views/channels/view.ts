/** Where on the channel page someone is: what the list shows, and what is open over it. */
export interface ChannelsView {
  page?: number
  keyword?: string
  group?: string
  model?: string
  status?: number
}

export const CHANNELS_PATH = '/admin/channels'

/** What can be open: a new channel, or the one that is edited or about to be deleted. */
type Over = 'new' | { edit: number } | { delete: number }

export function channelsAt({ page = 1, ...filters }: ChannelsView, over?: Over): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, String(value))
  if (page > 1) query.set('p', String(page))
  if (typeof over === 'object') for (const [name, id] of Object.entries(over)) query.set(name, String(id))
  const text = [query.toString(), over === 'new' ? over : ''].filter(Boolean).join('&')
  return text ? `${CHANNELS_PATH}?${text}` : CHANNELS_PATH
}

/** Where the button that tests all of them posts to. */
export const TEST_ALL_PATH = `${CHANNELS_PATH}/test`

/** Where one channel's buttons post to. */
export const channelAction = (id: number | ':id', action: 'test' | 'status' | 'routing' | 'keys') =>
  `${CHANNELS_PATH}/${id}/${action}`
