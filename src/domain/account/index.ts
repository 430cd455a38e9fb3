export { checkPassword, closeSession, endSessions, openSession, sessionUser } from './service.ts'
