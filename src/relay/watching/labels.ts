/** Values of the labels of calls, within their bounds: names that clients choose are never one. */
import { listedName } from '../../domain/routing/index.ts'
import { BoundedLabel } from '../../process/metrics/labels.ts'
import { providerOf } from '../../providers/index.ts'

const MODELS_MAX = 200
const CHANNELS_MAX = 1000
const GROUPS_MAX = 200

const models = new BoundedLabel('model', MODELS_MAX)
const channels = new BoundedLabel('channel', CHANNELS_MAX)
const groups = new BoundedLabel('group', GROUPS_MAX)

/** @param name of a model that a channel lists: the name in a refused call is no value of a label */
export const modelLabel = (name: string): string => models.of(listedName(name))
export const channelLabel = (id: number): string => channels.of(String(id))
export const groupLabel = (name: string): string => groups.of(name)

/** Empty for a call that had no channel. */
export const providerLabel = (channel_type: number | undefined): string =>
  channel_type === undefined ? '' : (providerOf(channel_type)?.label ?? 'unknown')
