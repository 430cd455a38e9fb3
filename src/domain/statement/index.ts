/** The account statement, and the proof that each credit has its cause. */
export { auditCredits } from './credits.ts'
export { usageOfDay } from './day.ts'
export { type Statement, type StatementPeriod, statementOf } from './service.ts'
