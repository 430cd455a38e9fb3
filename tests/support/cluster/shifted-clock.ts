/** Starts nodes whose clocks are wrong. */
import { fileURLToPath } from 'node:url'
import type { Installation } from '../app/installation.ts'
import { startAt } from '../app/installation.ts'
import type { Server } from '../app/server.ts'

/** How far the clock of a node is off. */
export const OFFSET_MS = 5 * 60_000
const preload = fileURLToPath(new URL('late-clock.ts', import.meta.url))

/** From its sources: an executable preloads nothing. @param ms how far its clock is before that of this machine, negative behind */
export const startShifted = (ms: number, place: Pick<Installation, 'folder' | 'env'>): Promise<Server> =>
  startAt(
    { ...place, env: { ...place.env, CLOCK_SHIFT_MS: String(ms) } },
    { command: [process.execPath, '--preload', preload, 'src/main.ts'] },
  )
