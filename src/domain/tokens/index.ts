/** Tokens: the API keys of users. */
export { fallbackSteps, groupsOf, hasGroupLists } from './fallback-models.ts'
export { announceKeys, markExpired, tokenById, tokenByKey, touchToken, writeLastUsed } from './lookup.ts'
export { rotateToken } from './rotate.ts'
export { listTokens, walkTokens } from './search.ts'
export {
  addFirstToken,
  createTokens,
  deleteTokens,
  disableTokens,
  editToken,
  enableToken,
  firstUsableToken,
  restoreTokens,
  tokenIdByKey,
  tokenNames,
  tokenOf,
  tokensOf,
  undoDisabling,
} from './service.ts'
export { type TokenRow, tokens } from './table.ts'
