/** Routing: which channel serves a call, with which key and API, how its requests go out, and how healthy it is. */

import './health/gauges.ts'
import './health/shared-cooldowns.ts'

export { announceChannels } from './announce-channels.ts'
export { enabledKeys, keysOf, lockChannel, maskKey } from './channel-keys.ts'
export { autoDisableOf, disableChannel, disableKey, enableAgain, statusChanged } from './health/auto-disable.ts'
export { countEvent, type EventSum, eventsSince, pruneChannelHours } from './health/channel-events.ts'
export { blamesRequest, isFatal } from './health/fatal.ts'
export { countFailed, countServed, healthOf, healthOfTags } from './health/hourly-outcomes.ts'
export { historyByHour, historyByModel, historyStart, historySum } from './health/model-hours.ts'
export {
  type AttemptFailure,
  cooldownOf,
  cooldownsOf,
  cooldownsOfKey,
  endTrial,
  recordBadRequest,
  recordFailure,
  recordResponse,
  recordStart,
  recordSuccess,
} from './health/outcome.ts'
export { callQueue, QueueRefused } from './limits/call-queue.ts'
export { limitsOf } from './limits/channel-limits.ts'
export { LEARNED_RESET_MAX_MS, learnedLimit, noteFull } from './limits/learned.ts'
export { type CallPlace, type PlaceDecision, placeLeft, takePlace } from './limits/places.ts'
export { limitReached, readingsOfChannel } from './limits/readings.ts'
export { type RoutedChannel, routedOf, upstreamModel } from './routed-channel.ts'
export {
  allChannels,
  channelById,
  channelsWithKey,
  enabledAbilities,
  enabledModels,
  isListed,
  listedName,
  offeredAbilities,
  offeredModels,
  servingChannels,
  sharingWith,
} from './routing-table.ts'
export { withApi, withinInputLimits } from './selection/candidates.ts'
export { apiFor, noteMissing, usualApi } from './selection/choose-api.ts'
export { attemptsMax, type Choice } from './selection/order.ts'
export { previewRoute } from './selection/preview.ts'
export { replay } from './selection/replay.ts'
export { targetsOf, withKeys } from './selection/targets.ts'
export { CredentialRefused, dropToken, tokenFor } from './sending/credential.ts'
export { modelSettingsFor } from './sending/model-settings.ts'
export { hasNoSecrets, redacted, redactedCode, redactedError } from './sending/redact.ts'
export { configOf, routeOfChannel, sendRequest } from './sending/request.ts'
export { carryOut, openStream, type Sender, sendBeside } from './sending/side-requests.ts'
export { askStates, type TasksApi, tasksApiOf } from './sending/task-states.ts'
export type { Candidate, Target } from './target.ts'
