/** The last warnings and errors of the process log, for the diagnostics page. */
import { store } from './stores.ts'

export interface Warning {
  at_ms: number
  level: 'warn' | 'error'
  message: string
  fields: Readonly<Record<string, string | number | boolean | null | undefined>>
}

const WARNINGS_MAX = 50

const kept = store('last-warnings', new Set<Warning>())

export function keepWarning(warning: Warning) {
  kept.add(warning)
  for (const oldest of kept) {
    if (kept.size <= WARNINGS_MAX) return
    kept.delete(oldest)
  }
}

/** The newest first. */
export const lastWarnings = (): Warning[] => [...kept].reverse()
