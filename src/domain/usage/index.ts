/** Hourly usage, its totals and roll-ups. */
export { affinityOf, countAffinity, type PromptCost } from './affinity.ts'
export { auditRollUps } from './audit.ts'
export { type Availability, availability, type ModelAvailability } from './availability.ts'
export { countFailure, type FailedAttempt, failuresByHour } from './failures.ts'
export { countFirstToken } from './first-tokens.ts'
export { isOfPlayground, usageWithin } from './nested.ts'
export { pulseOf } from './pulse.ts'
export { recentService } from './recent.ts'
export { lateSpansOf, loadRolledUntil, rollUpUsage } from './roll-up.ts'
export { addToUsage, addUsage, hourOf, orderOf, type QuotaOfHour, quotaOfKey, takeBackUsage } from './service.ts'
export type { Span } from './spans.ts'
export { callsUnder, statOf } from './stat.ts'
export {
  addedUp,
  spentByUsers,
  sumOf,
  totalUsage,
  type UsageScope,
  type UsageSum,
  type UserColumn,
  usageOfSite,
  usageOfUser,
} from './sums.ts'
