/** Starts this very process anew, once, with settings that the runtime reads only at its start. */
import { environment } from '../env.ts'

declare global {
  namespace NodeJS {
    interface Process {
      execve?(file: string, args: string[], env: Record<string, string>): never
    }
  }
}

export function reexecWith(settings: Record<string, string>) {
  const current = environment()
  if (!process.execve || Object.keys(settings).every(name => current[name] !== undefined)) return
  const script = Bun.main.startsWith('/$bunfs') ? [] : [...process.execArgv, Bun.main]
  process.execve(process.execPath, [process.execPath, ...script, ...Bun.argv.slice(2)], { ...current, ...settings })
}
