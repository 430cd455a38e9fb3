/** Redemption codes: quota as text that a user redeems. */
export { type CodeSearch, codeOf, codesOf, listCodes, usesOf, walkCodes } from './list.ts'
export { type RedeemRequest, type RedeemResult, redeem } from './redeem.ts'
export {
  type CreatedCode,
  countCodesNamed,
  countDisabledCodes,
  createCodes,
  deleteCodes,
  deleteCodesNamed,
  deleteDisabledCodes,
  disableCodes,
  editCode,
  isCodeChangeUndoable,
  switchCode,
  undoCodeChanges,
} from './service.ts'
export { tailOf } from './tail.ts'
