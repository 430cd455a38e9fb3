/** Prices of models and groups. */
export { auditBills } from './audit-bills.ts'
export { type PriceDigests, priceDigest, priceHistory, savePrices, undoPrices } from './changes.ts'
export { entriesOf, listedModels, servedModels, textsWith } from './entries.ts'
export { differencesAt, differencesWith, textsFor } from './foreign.ts'
export { ratioConfig } from './ratio-config.ts'
export {
  currentTables,
  groupNames,
  groupOffers,
  groupRatio,
  hasTaskPrice,
  pricedBy,
  priceFor,
  priceList,
  taskPriceFor,
  unpriced,
  usableGroups,
} from './service.ts'
export { simulate } from './simulate.ts'
export { keepPriceVersion } from './versions.ts'
