import { dialect } from '../../db/dialect.ts'
import type { Reservations } from './reservation.ts'
import { inRows } from './reservations-postgres.ts'
import { inMemory } from './reservations-sqlite.ts'

/** The open reservations of this installation. */
export const reservations: Reservations = dialect === 'sqlite' ? inMemory : inRows
