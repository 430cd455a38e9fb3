export { groupNames, groupOffers, groupRatio, priceFor, priceList, usableGroups } from './service.ts'
