/** Restarts this process in place with environment variables that the runtime reads only at its start. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'

declare global {
  namespace NodeJS {
    interface Process {
      execve?(file: string, args: string[], env: Record<string, string>): never
    }
  }
}

/** Returns when the settings are in effect already, or the system has no `execve`. */
export function reexecWith(settings: Record<string, string>) {
  // Not by `env.ts`, which validates every variable: that is for the process after the restart.
  const current = process.env as Record<string, string>
  if (!process.execve || Object.entries(settings).every(([name, value]) => current[name] === value)) return
  process.execve(process.execPath, [...ownProgram(), ...Bun.argv.slice(2)], { ...current, ...settings })
}

/** The beginning of a command line that runs this program: the executable, or the runtime with the sources. */
export const ownProgram = (): string[] => [
  process.execPath,
  ...(Bun.main.startsWith('/$bunfs') ? [] : [...process.execArgv, Bun.main]),
]

/**
 * Settings of a demo: a data folder of its own, and the files of its own upstream. The process id is the same after the
 * restart.
 */
export const demoSettings = () => ({
  DATA_DIR: join(tmpdir(), `tollgate-demo-${process.pid}`),
  DATABASE_URL: '',
  OUTBOUND_ALLOW: '127.0.0.1',
})
