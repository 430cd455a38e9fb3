/** Accounts: sign-in and sessions. */
export { checkPassword, closeSession, endSessions, openSession, sessionUser } from './service.ts'
