/** Figures of public pages: read at most once in a minute, however many visitors ask. */
import { now } from '../../process/clock.ts'
import { store } from '../../process/stores.ts'

const KEPT_SECONDS = 60

interface MinuteFigures {
  read_at: number
  figures: Promise<unknown>
}

const kept = store('kept-figures', new Map<string, MinuteFigures>())

/** @returns figures that were read within the last minute, to be read only */
export function readEachMinute<Figures>(name: string, read: () => Promise<Figures>): Promise<Figures> {
  const known = kept.get(name)
  if (known && now() - known.read_at < KEPT_SECONDS && now() >= known.read_at) return known.figures as Promise<Figures>
  const figures = read()
  kept.set(name, { read_at: now(), figures })
  figures.catch(() => kept.delete(name))
  return figures
}
