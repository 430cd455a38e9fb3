/** `--preload` of a server whose clock is before the time by `LATER_DAYS`. */
import { shiftClock } from '../../../src/process/clock.ts'

shiftClock(Number(process.env.LATER_DAYS) * 86_400)
