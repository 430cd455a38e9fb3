/** Channels: configuration and probing. */

export { fixAbilities, rebuildAbilities } from './config/abilities.ts'
export { type ChannelSet, changeChannels, changeTag, deleteChannels, namesOf } from './config/batch.ts'
export { endedService, modelCatalogue, modelsByType, providerChoices } from './config/catalogue.ts'
export type { Channel } from './config/channel.ts'
export { copyChannel } from './config/copy.ts'
export { switchKey } from './config/keys.ts'
export { channelNames, currencyOf, listItemsOf } from './config/list.ts'
export {
  type ChannelQuery,
  channelsOfTags,
  countAutoDisabled,
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
export { tagSummaries } from './config/tags.ts'
export { isChannelChangeUndoable, undoChannelChanges } from './config/undo.ts'
export { flawsOf } from './config/validate.ts'
export { REFRESH_BALANCES, refreshBalances, updateBalance, updateBalances } from './probing/balance.ts'
export { modelsOf, modelsOfUnsaved } from './probing/query-upstream.ts'
export { type RunKind, runKinds, runOf } from './probing/run.ts'
export { testChannel } from './probing/test.ts'
export { TEST_CHANNELS, testAllAsRoot, testChannels, testRunEnded } from './probing/test-all.ts'
export { testUnsaved } from './probing/unsaved.ts'
