/** Set-up at the first start. */
export { isMarked, markPath } from './mark.ts'
export {
  checkSetupToken,
  endSetUp,
  hasRoot,
  isSetUp,
  needsSetupToken,
  notSetUp,
  setUp,
  setupStatus,
} from './service.ts'
