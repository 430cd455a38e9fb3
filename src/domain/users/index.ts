/** Users. */
export { findUsers, listDatedUsers, listUsers, userNames, walkUsers } from './list.ts'
export { checkUsernameFree, foldUsernames, isNamed, renamed, type Twin, usernameTaken, usernameTwins } from './names.ts'
export {
  addUser,
  anyUser,
  balanceOf,
  isEnabled,
  ownView,
  rootUser,
  userByAccessToken,
  userById,
  userByLogin,
  viewFor,
} from './service.ts'
export { changeSetting, keepLanguage, settingOf, storedSetting, userSetting, warningThreshold } from './setting.ts'
export { type User, users } from './table.ts'
export { maySee, type Reader } from './view.ts'
