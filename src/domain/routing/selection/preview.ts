/** Which channels a call of a group and a model tries: the selection that calls make, with a reason for each channel left out. */
import { ChannelStatus } from '../../../contracts/channel.ts'
import type { MetChannelLimit } from '../../../contracts/channel-limits.ts'
import {
  type Obstacle,
  OTHERS_MAX,
  type PassedOver,
  type PreviewedOperation,
  type PreviewStep,
  type RoutePreview,
  type RoutePreviewQuery,
} from '../../../contracts/route-preview.ts'
import { kindOf } from '../../../models/kinds.ts'
import { providerOf, usualFormats } from '../../../providers/index.ts'
import { nearest } from '../../../pure/near.ts'
import { autoDisableOf } from '../health/auto-disable.ts'
import { cooldownOfAll } from '../health/outcome.ts'
import { limitReached } from '../limits/readings.ts'
import { type RoutedChannel, upstreamModel } from '../routed-channel.ts'
import { allChannels, isListed, listedName, servingChannels } from '../routing-table.ts'
import type { Candidate } from '../target.ts'
import { withApi, withinInputLimits } from './candidates.ts'
import { type ApiQuery, apiByKey } from './choose-api.ts'
import { attemptsMax, chancesIn, nextTier } from './order.ts'
import { trialOf, withKeys } from './targets.ts'

const NEAR_MAX = 5

export async function previewRoute(query: RoutePreviewQuery): Promise<RoutePreview> {
  const { group, model, input_tokens = 0 } = query
  const operation = operationOf(model)
  const call: ApiQuery = { endpoint: { operation, format: usualFormats[operation] }, facts: { model } }
  const channels = await servingChannels(group, model)
  const able = withApi(channels, call)
  const candidates = withinInputLimits(able, input_tokens)
  const tiers = tiersOf(
    candidates.filter(candidate => !limitOf(candidate, call)),
    call,
  )
  const tried = new Set(tiers.flatMap(({ steps }) => steps.map(({ id }) => id)))
  const all = await allChannels()
  const others = all
    .filter(({ id }) => !tried.has(id))
    .map(channel => passedOver(channel, { group, model, call, channels, able, candidates }))
  others.sort(nearestFirst)
  const listed = await isListed(group, model)
  return {
    ...query,
    operation,
    tiers,
    attempts_max: attemptsMax(),
    trial: tiers.length ? undefined : trialOf(candidates, call)?.channel.id,
    others: others.slice(0, OTHERS_MAX),
    others_total: others.length,
    unlisted_total: others.filter(lacksModel).length,
    listed,
    near: listed ? [] : nearest(all.filter(({ groups }) => groups.includes(group)).flatMap(namesOf), model, NEAR_MAX),
  }
}

/** Read from the name of the model. */
function operationOf(model: string): PreviewedOperation {
  const kind = kindOf(model)
  if (kind === 'images') return 'image_generations'
  if (kind === 'drawings') return 'drawing_imagine'
  if (kind !== 'audio') return kind
  if (model.includes('realtime')) return 'realtime'
  return /tts|speech/i.test(model) ? 'speech' : 'transcriptions'
}

/** The tiers in which calls draw, emptied one after the other. */
function tiersOf(candidates: readonly Candidate[], call: ApiQuery): RoutePreview['tiers'] {
  const tiers: RoutePreview['tiers'] = []
  let left = candidates
  for (let tier = nextTier(left, call); tier.length; tier = nextTier(left, call)) {
    const drawn = tier
    const chances = chancesIn(drawn)
    const sum = chances.reduce((total, chance) => total + chance, 0)
    const steps = drawn.map((one, index) => stepOf(one, call, chances[index]! / sum))
    tiers.push({ priority: drawn[0]!.channel.priority, steps: steps.sort((one, other) => other.share - one.share) })
    left = left.filter(one => !drawn.includes(one))
  }
  return tiers
}

/** The limit that stops the call at every key of a candidate, the one that ends first. */
function limitOf({ channel }: Candidate, { facts: { model } }: ApiQuery): MetChannelLimit | undefined {
  const met = channel.good_keys.map(key => limitReached({ channel, key, model }))
  const full = met.filter(one => one !== undefined)
  if (!full.length || full.length < met.length) return undefined
  return full.reduce((first, one) => (one.seconds < first.seconds ? one : first))
}

const stepOf = ({ channel, api }: Candidate, { facts }: ApiQuery, share: number): PreviewStep => ({
  ...shownOf(channel),
  share,
  good_keys: channel.good_keys.length,
  keys: channel.keys.length,
  upstream_model: upstreamModel(channel, facts.model),
  format: api.format.name,
  max_input_tokens: channel.max_input_tokens,
})

const shownOf = ({ id, name, type, priority, weight }: RoutedChannel) => ({
  id,
  name,
  label: providerOf(type)?.label ?? String(type),
  priority,
  weight,
})

/** What a selection has kept at each step. */
interface Selection extends Pick<RoutePreviewQuery, 'group' | 'model'> {
  call: ApiQuery
  channels: readonly RoutedChannel[]
  able: readonly Candidate[]
  candidates: readonly Candidate[]
}

const passedOver = (channel: RoutedChannel, selection: Selection): PassedOver => ({
  ...shownOf(channel),
  obstacles:
    channel.status === ChannelStatus.enabled
      ? obstaclesOf(channel, selection)
      : [disabling(channel), ...absent(channel, selection)],
})

const disabling = (channel: RoutedChannel): Obstacle =>
  channel.status === ChannelStatus.autoDisabled
    ? { code: 'auto_disabled', ...autoDisableOf(channel) }
    : { code: 'disabled' }

/** Why an enabled channel is not tried. */
function obstaclesOf(channel: RoutedChannel, selection: Selection): Obstacle[] {
  if (!selection.channels.includes(channel)) {
    const found = absent(channel, selection)
    return found.length ? found : [{ code: 'shorter_prefix' }]
  }
  const isOf = (candidate: Candidate) => candidate.channel === channel
  const candidate = selection.candidates.find(isOf)
  if (!candidate)
    return [
      selection.able.some(isOf) ? { code: 'prompt_too_long', limit: channel.max_input_tokens } : { code: 'no_api' },
    ]
  if (!channel.good_keys.length) return [{ code: 'keys_disabled' }]
  const { call } = selection
  const usable = withKeys([candidate], call.facts.model).filter(({ key }) => apiByKey(candidate, key, call))
  const met = limitOf(candidate, call)
  if (met) return [{ code: `limit_${met.measure}`, seconds: met.seconds, limit: met.limit }]
  const cooldown = cooldownOfAll(usable)
  return [cooldown ? { code: 'cooling', ...cooldown } : { code: 'trial_running' }]
}

function absent(channel: RoutedChannel, { group, model }: Selection): Obstacle[] {
  const found: Obstacle[] = []
  if (!channel.groups.includes(group)) found.push({ code: 'not_in_group' })
  if (!namesOf(channel).includes(listedName(model))) found.push({ code: 'not_listed' })
  return found
}

/** The names under which clients request its models. */
const namesOf = ({ models, model_prefix }: RoutedChannel) => models.map(name => model_prefix + name)

/** A channel without the model is farther away than any with it. */
const distance = (one: PassedOver) => one.obstacles.length + (lacksModel(one) ? OTHERS_MAX : 0)

const lacksModel = ({ obstacles }: PassedOver) => obstacles.some(({ code }) => code === 'not_listed')

const nearestFirst = (one: PassedOver, other: PassedOver) =>
  distance(one) - distance(other) || other.priority - one.priority || one.id - other.id
