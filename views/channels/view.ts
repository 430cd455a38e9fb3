/** Addresses of the channels page: what the list shows, what is open over it, where its forms are sent. */
import { CHANNELS_PATH } from '../../src/contracts/channel.ts'
import { addressOf } from '../../src/contracts/list-address.ts'
import type { BudgetPlace } from '../budgets/view.ts'

export interface ChannelsView {
  page?: number
  keyword?: string
  group?: string
  model?: string
  status?: number
  tag?: string
  /** The tag whose channels are shown under it, in a list by tag. */
  open?: string
}

/** Values of the drawer's form by field name, as typed. */
export type ChannelFormValues = Record<string, string>

/** Page where models get their prices. */
export const PRICES_PATH = '/admin/settings?tab=operation&area=prices&view=unset'

/** The drawer that sets the price of a model. */
export const priceOfAt = (model: string): string => `${PRICES_PATH}&new=${encodeURIComponent(model)}`

/** What runs over many channels in the background. */
type Run = 'test' | 'balance'

/** The drawer for a new channel, or a drawer or dialog: of the channel with this id, of several (a comma list), of a tag. */
type Overlay =
  | 'new'
  | 'delete_disabled'
  | { delete: number }
  | { test: number }
  | { set_tag: string }
  | { delete_all: string }
  | { edit_tag: string }
  | { switch_tag: string }
  | { run: Run }
  | Parameters<BudgetPlace['at']>[0]

export const channelsAt = (view: ChannelsView, overlay?: Overlay): string => addressOf(CHANNELS_PATH, view, overlay)

/** Target of a form of one channel. The view is shown again when the form is refused. */
export const channelAction = (
  id: number,
  action: '' | '/delete' | '/test' | '/status' | '/successor' | '/routing' | '/keys' | '/copy' | '/balance' | '/menu',
  view: ChannelsView = {},
): string => addressOf(`${CHANNELS_PATH}/${id}${action}`, view)

export const budgetsOfChannels = (view: ChannelsView): BudgetPlace => ({
  owner: 'channel',
  at: overlay => channelsAt(view, overlay),
  action: path => addressOf(`${CHANNELS_PATH}/${path}`, view),
})

/** Target of a form of several channels, of a tag or of all. */
export const channelsAction = (
  action:
    | 'test'
    | 'balance'
    | 'fix'
    | 'columns'
    | 'selected'
    | 'set-tag'
    | 'delete-all'
    | 'delete-disabled'
    | 'tag'
    | 'tag/switch'
    | 'tag/test',
  view: ChannelsView = {},
): string => addressOf(`${CHANNELS_PATH}/${action}`, view)

/** Fragment with the progress of a run. */
export const runAt = (run: Run, view: ChannelsView): string => addressOf(`${CHANNELS_PATH}/run/${run}`, view)

export const exportChannelsAt = ({ open, ...view }: ChannelsView): string =>
  addressOf(`${CHANNELS_PATH}/export.csv`, { ...view, page: 1 })
