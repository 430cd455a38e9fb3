/** Set-up at the first start. */
export { isMarked, markPath } from './mark.ts'
export { isSetUp, needsSetupToken, notSetUp, setUp, setupStatus } from './service.ts'
