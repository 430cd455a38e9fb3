/** Channels: configuration, routing, health and probing. */

export { fixAbilities } from './config/abilities.ts'
export { type ChannelSet, changeChannels, changeTag, deleteChannels, namesOf } from './config/batch.ts'
export { endedService, modelCatalogue, modelsByType, providerChoices } from './config/catalogue.ts'
export type { Channel } from './config/channel.ts'
export { copyChannel } from './config/copy.ts'
export { switchKey } from './config/keys.ts'
export { autoDisableOf, type ChannelListItem, channelNames, currencyOf, listItemsOf } from './config/list.ts'
export { modelSettingsFor } from './config/model-settings.ts'
export {
  type ChannelQuery,
  channelsOfTags,
  countChannels,
  groupsInUse,
  pageInTagMode,
  pageOfChannels,
  pageOfTags,
  tagsInUse,
  walkChannels,
} from './config/search.ts'
export { changeChannel, channelView, createChannel, deleteChannel } from './config/service.ts'
export { moveToSuccessor } from './config/succession.ts'
export { type TagSummary, tagSummaries } from './config/tags.ts'
export { flawsOf } from './config/validate.ts'
export { blamesRequest, isFatal } from './health/fatal.ts'
export { countOutcome, healthOf, type Outcomes } from './health/hourly.ts'
export {
  type AttemptFailure,
  allowsCall,
  allowsTrial,
  cooldownOf,
  endTrial,
  recordFailure,
  recordResponse,
  recordStart,
  recordSuccess,
} from './health/outcome.ts'
export { hasNoSecrets, redacted, redactedCode, redactedError } from './health/redact.ts'
export { statusChanged, testRunOver } from './news.ts'
export { REFRESH_BALANCES, refreshBalances, updateBalance, updateBalances } from './probing/balance.ts'
export { modelsOf, modelsOfUnsaved } from './probing/query-upstream.ts'
export { type ChannelRun, type RunKind, runKinds, runOf } from './probing/run.ts'
export { testChannel } from './probing/test.ts'
export { TEST_CHANNELS, testAllAsRoot, testChannels } from './probing/test-all.ts'
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
export { apiFor, noteMissing, usualApi } from './selection/choose-api.ts'
export { attemptsMax, inOrder, withKeys } from './selection/order.ts'
export { routeOf } from './selection/route.ts'
export { CredentialRefused, dropToken, tokenFor } from './sending/credential.ts'
export { configOf, routeOfChannel, sendRequest } from './sending/request.ts'
export { carryOut, openStream, type Sender, sendBeside } from './sending/side-requests.ts'
export { channels } from './table.ts'
