/** Options of prices: tables of models, groups and tools. */
import defaults from '../../models/prices.json'
import { numberMap, section, textMap } from './declare.ts'

export const prices = section({
  tab: 'operation',
  options: {
    ModelPrice: numberMap(defaults.ModelPrice),
    ModelRatio: numberMap(defaults.ModelRatio),
    CompletionRatio: numberMap(defaults.CompletionRatio),
    CacheRatio: numberMap(defaults.CacheRatio),
    CacheCreationRatio: numberMap(defaults.CacheCreationRatio),
    AudioRatio: numberMap(defaults.AudioRatio),
    AudioCompletionRatio: numberMap(defaults.AudioCompletionRatio),
    ImageRatio: numberMap(defaults.ImageRatio),
    ToolPrice: numberMap(defaults.ToolPrice),
    GroupRatio: numberMap(defaults.GroupRatio),
    UserUsableGroups: textMap(defaults.UserUsableGroups),
  },
})
