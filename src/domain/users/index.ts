/** Users. */
export {
  addUser,
  anyUser,
  balanceOf,
  isEnabled,
  maySee,
  ownView,
  rootUser,
  userByAccessToken,
  userById,
  userByLogin,
  viewFor,
} from './service.ts'
export { type User, users } from './table.ts'
