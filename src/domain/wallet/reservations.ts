/** Where this installation keeps reservations: rows on PostgreSQL, sums in memory on SQLite. */
import { dialect } from '../../db/dialect.ts'
import { store } from '../../process/stores.ts'
import type { Reservation, ReservationStore } from './reservation.ts'
import { inRows } from './reservations-postgres.ts'
import { inMemory } from './reservations-sqlite.ts'

export const reservations: ReservationStore = dialect === 'sqlite' ? inMemory : inRows

/** Calls of this process that have not ended, by request id. */
export const open = store('open-reservations', new Map<string, Reservation>())
