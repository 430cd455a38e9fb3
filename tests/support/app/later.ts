/** `--preload` of a server whose clock is before the time by `LATER_DAYS`, and by an hour more with each SIGUSR2. */
import { shiftClock } from '../../../src/process/clock.ts'

shiftClock(Number(process.env.LATER_DAYS ?? 0) * 86_400)
process.on('SIGUSR2', () => shiftClock(3600))
