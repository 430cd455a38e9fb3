/** Fills the database of the environment with so many log entries, of so many days, and records of the newest calls. */
import { closeDatabase, openDatabase } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { now } from '../../../src/process/clock.ts'
import { generateCalls } from '../../support/people/many-calls.ts'
import { recordLoggedCalls } from '../call-records.ts'

/** As `CallRecordDays`. */
const RECORD_DAYS = 14
const DAY_SECONDS = 86_400

const [rows = 10_000_000, days = 90] = process.argv.slice(2).map(Number)
await openDatabase()
await migrate()
await generateCalls({ rows, days, until: now() })
await recordLoggedCalls(now() - RECORD_DAYS * DAY_SECONDS)
await closeDatabase()
