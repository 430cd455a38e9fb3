/** Channels: configuration, routing, health and probing. */
export { modelCatalogue, modelsByType, providerChoices } from './config/catalogue.ts'
export { switchKey } from './config/keys.ts'
export { autoDisableOf, type ChannelListItem, channelNames, listItemsOf } from './config/list.ts'
export { modelSettingsFor } from './config/model-settings.ts'
export {
  type Channel,
  type ChannelQuery,
  changeChannel,
  channelView,
  createChannel,
  deleteChannel,
  groupsInUse,
  pageOfChannels,
  walkChannels,
} from './config/service.ts'
export { flawsOf } from './config/validate.ts'
export { blamesRequest, isFatal } from './health/fatal.ts'
export { countOutcome, healthOf, type Outcomes } from './health/hourly.ts'
export {
  type AttemptFailure,
  allowsCall,
  cooldownOf,
  endTrial,
  recordEnd,
  recordFailure,
  recordResponse,
  recordStart,
} from './health/outcome.ts'
export { redacted, redactedCode, redactedError } from './health/redact.ts'
export { statusChanged, testRunOver } from './news.ts'
export { REFRESH_BALANCES, refreshBalances, updateBalance, updateBalances } from './probing/balance.ts'
export { modelsOf, modelsOfUnsaved } from './probing/query-upstream.ts'
export { testChannel } from './probing/test.ts'
export { TEST_CHANNELS, testAllAsRoot, testAllChannels } from './probing/test-all.ts'
export { testUnsaved, type UnsavedTest } from './probing/unsaved.ts'
export {
  allChannels,
  candidates,
  channelById,
  enabledAbilities,
  enabledModels,
  isListed,
  listedName,
  offeredAbilities,
  offeredModels,
  type RoutedChannel,
  sharingWith,
  upstreamModel,
} from './routing/routing-table.ts'
export { apiFor, apiWithoutAnthropic, noteNoAnthropicApi } from './selection/choose-api.ts'
export { attemptsMax, inOrder, trialOf, withKeys } from './selection/order.ts'
export { routeOf } from './selection/route.ts'
export { channels } from './table.ts'
