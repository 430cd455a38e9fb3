/** Calls in the shadow of another gateway: kept, and compared with its log. */
export { compareWith } from './report.ts'
export { pruneShadow, recordShadow, type ShadowBill, type ShadowCall } from './service.ts'
