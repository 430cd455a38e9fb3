/** Accounts: sign-up, sign-in, sessions, passwords, and what administrators change of users. */
export { type AttemptOrigin, countOwnAttempt, forgetAttempts } from './attempts.ts'
export { mayChange } from './authority.ts'
export { createUser, editUser } from './edit-user.ts'
export { checkEmailCode, mailEmailCode, takeEmailCode } from './email-code.ts'
export {
  type BudgetManager,
  budgetFor,
  createBudget,
  deleteBudget,
  editBudget,
  listBudgetsFor,
  withLimit,
} from './manage-budgets.ts'
export {
  disableUsers,
  enableUsers,
  mailResetLinkFor,
  manageUser,
  regroupUsers,
  signOutEverywhere,
  topUpUsers,
} from './manage-users.ts'
export { changePassword, deleteOwnAccount, editProfile, newAccessToken } from './own-account.ts'
export { checkOwnPassword, checkPassword } from './password.ts'
export { mailResetLink, resetPassword } from './password-reset.ts'
export { beginPending, countPending, type PendingSignIn, pendingUser, takePending } from './pending-sign-in.ts'
export { refundCall, refundsOf } from './refund-call.ts'
export { readRegistration, registerUser } from './registration.ts'
export {
  closeSession,
  endAccess,
  endOtherSessions,
  endSession,
  endSessions,
  findSession,
  isConfirmed,
  markConfirmed,
  openSession,
  type Session,
  sessionsOf,
} from './sessions.ts'
export { browserLinkFor, browserOfLink, canMailBrowserLinks, mailBrowserLink } from './sign-in-link.ts'
export { checkRegistrationOpen, type ProviderIds, signUp } from './sign-up.ts'
export { topUp } from './top-up.ts'
export { isUserChangeUndoable, undoUserChanges } from './undo.ts'
