/** Which channels a call of a group and a model tries, by the code that routes the calls themselves. */
import { ChannelStatus } from '../../../contracts/channel.ts'
import {
  type ChannelRoute,
  type Obstacle,
  OTHERS_MAX,
  type PassedOver,
  type RouteOperation,
  type RouteQuery,
  type RouteStep,
} from '../../../contracts/channel-route.ts'
import { kindOf } from '../../../models/kinds.ts'
import { providerOf, type UpstreamApi } from '../../../providers/index.ts'
import { nearest } from '../../../pure/near.ts'
import { autoDisableOf } from '../health/auto-disable.ts'
import { cooldownForModel } from '../health/outcome.ts'
import { type RoutedChannel, upstreamModel } from '../routed-channel.ts'
import { allChannels, candidates, isListed, listedName } from '../routing-table.ts'
import { type ApiQuery, apiFor } from './choose-api.ts'
import { attemptsMax, chancesIn, nextTier, trialOf } from './order.ts'

const NEAR_MAX = 5

interface Able {
  channel: RoutedChannel
  api: UpstreamApi
}

export async function routeOf({ group, model }: RouteQuery): Promise<ChannelRoute> {
  const operation = operationOf(model)
  const call: ApiQuery = { endpoint: { operation }, facts: { model } }
  const channels = await candidates(group, model)
  const able = channels.flatMap(channel => {
    const api = apiFor(channel, call)
    return api ? [{ channel, api }] : []
  })
  const tiers = tiersOf(able, model)
  const tried = new Set(tiers.flatMap(({ steps }) => steps.map(({ id }) => id)))
  const all = await allChannels()
  const others = all
    .filter(({ id }) => !tried.has(id))
    .map(channel => passedOver(channel, { group, model, able, channels }))
  others.sort(nearestFirst)
  const listed = await isListed(group, model)
  return {
    group,
    model,
    operation,
    tiers,
    attempts_max: attemptsMax(),
    trial: tiers.length ? undefined : trialOf(able, model)?.channel.id,
    others: others.slice(0, OTHERS_MAX),
    others_total: others.length,
    listed,
    near: listed ? [] : nearest(all.filter(({ groups }) => groups.includes(group)).flatMap(namesOf), model, NEAR_MAX),
  }
}

/** Read from the name of the model. */
function operationOf(model: string): RouteOperation {
  const kind = kindOf(model)
  if (kind === 'images') return 'image_generations'
  if (kind !== 'audio') return kind
  if (model.includes('realtime')) return 'realtime'
  return /tts|speech/i.test(model) ? 'speech' : 'transcriptions'
}

/** The tiers in which calls draw, emptied one after the other. */
function tiersOf(able: readonly Able[], model: string): ChannelRoute['tiers'] {
  const tiers: ChannelRoute['tiers'] = []
  let left = able
  for (let tier = nextTier(left, model); tier.length; tier = nextTier(left, model)) {
    const drawn = tier
    const chances = chancesIn(drawn)
    const sum = chances.reduce((total, chance) => total + chance, 0)
    const steps = drawn.map((one, index) => stepOf(one, model, chances[index]! / sum))
    tiers.push({ priority: drawn[0]!.channel.priority, steps: steps.sort((one, other) => other.share - one.share) })
    left = left.filter(one => !drawn.includes(one))
  }
  return tiers
}

const stepOf = ({ channel, api }: Able, model: string, share: number): RouteStep => ({
  ...factsOf(channel),
  share,
  good_keys: channel.good_keys.length,
  keys: channel.keys.length,
  upstream_model: upstreamModel(channel, model),
  format: api.format.name,
  max_input_tokens: channel.max_input_tokens,
})

const factsOf = ({ id, name, type, priority, weight }: RoutedChannel) => ({
  id,
  name,
  label: providerOf(type)?.label ?? String(type),
  priority,
  weight,
})

interface Considered extends RouteQuery {
  channels: readonly RoutedChannel[]
  able: readonly Able[]
}

const passedOver = (channel: RoutedChannel, considered: Considered): PassedOver => ({
  ...factsOf(channel),
  obstacles:
    channel.status === ChannelStatus.enabled
      ? obstaclesOf(channel, considered)
      : [closing(channel), ...absent(channel, considered)],
})

function closing(channel: RoutedChannel): Obstacle {
  const closed = autoDisableOf(channel)
  return channel.status === ChannelStatus.autoDisabled ? { code: 'auto_disabled', ...closed } : { code: 'disabled' }
}

/** Why an enabled channel is not tried. */
function obstaclesOf(channel: RoutedChannel, considered: Considered): Obstacle[] {
  if (!considered.channels.includes(channel)) {
    const found = absent(channel, considered)
    return found.length ? found : [{ code: 'shorter_prefix' }]
  }
  if (considered.able.every(one => one.channel !== channel)) return [{ code: 'no_api' }]
  if (!channel.good_keys.length) return [{ code: 'keys_disabled' }]
  const cooldown = cooldownForModel(channel, considered.model)
  return [cooldown ? { code: 'cooling', ...cooldown } : { code: 'trial_running' }]
}

function absent(channel: RoutedChannel, { group, model }: RouteQuery): Obstacle[] {
  const found: Obstacle[] = []
  if (!channel.groups.includes(group)) found.push({ code: 'not_in_group' })
  if (!namesOf(channel).includes(listedName(model))) found.push({ code: 'not_listed' })
  return found
}

/** The names under which clients request its models. */
const namesOf = ({ models, model_prefix }: RoutedChannel) => models.map(name => model_prefix + name)

/** A channel without the model is farther away than any with it. */
const distance = ({ obstacles }: PassedOver) =>
  obstacles.length + (obstacles.some(({ code }) => code === 'not_listed') ? OTHERS_MAX : 0)

const nearestFirst = (one: PassedOver, other: PassedOver) =>
  distance(one) - distance(other) || other.priority - one.priority || one.id - other.id
