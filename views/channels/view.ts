/** Addresses of the channels page: what the list shows, what is open over it, where its forms are sent. */
import { addressOf } from '../layout/address.ts'

export interface ChannelsView {
  page?: number
  keyword?: string
  group?: string
  model?: string
  status?: number
}

/** Values of the drawer's form by field name, as typed. */
export type ChannelFormValues = Record<string, string>

export const CHANNELS_PATH = '/admin/channels'

/** Page where models get their prices. */
export const PRICES_PATH = '/admin/settings?tab=operation'

/** The drawer for a new channel, or the drawer or dialog of the channel with this id. */
type Over = 'new' | { edit: number } | { delete: number }

export const channelsAt = (view: ChannelsView, over?: Over): string => addressOf(CHANNELS_PATH, view, over)

/** Target of a form of one channel. The view is shown again when the form is refused. */
export const channelAction = (
  id: number,
  action: '' | '/delete' | '/test' | '/status' | '/routing' | '/keys',
  view: ChannelsView = {},
): string => addressOf(`${CHANNELS_PATH}/${id}${action}`, view)

export const exportChannelsAt = (view: ChannelsView): string =>
  addressOf(`${CHANNELS_PATH}/export.csv`, { ...view, page: 1 })

/** Target of the button that tests every channel. */
export const TEST_ALL_PATH = `${CHANNELS_PATH}/test`
