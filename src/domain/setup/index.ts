/** Set-up at the first start. */
export { isMarked, markPath } from './mark.ts'
export { isSetUp, needsSetupToken, setUp, setupStatus } from './service.ts'
