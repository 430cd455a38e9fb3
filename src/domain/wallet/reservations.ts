import { dialect } from '../../db/dialect.ts'
import type { Reservation, Reservations } from './reservation.ts'
import { inRows } from './reservations-postgres.ts'
import { inMemory } from './reservations-sqlite.ts'

/** Where this installation keeps what is reserved. */
export const reservations: Reservations = dialect === 'sqlite' ? inMemory : inRows

/** The calls of this process that have not ended, by request id. */
export const open = new Map<string, Reservation>()
