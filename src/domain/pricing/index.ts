/** Prices of models and groups. */
export { groupNames, groupOffers, groupRatio, priceFor, priceList, usableGroups } from './service.ts'
