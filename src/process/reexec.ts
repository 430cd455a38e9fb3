/** Starts this very process anew, once, with settings that the runtime reads only at its start. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  if (!process.execve || Object.entries(settings).every(([name, value]) => current[name] === value)) return
  const script = Bun.main.startsWith('/$bunfs') ? [] : [...process.execArgv, Bun.main]
  process.execve(process.execPath, [process.execPath, ...script, ...Bun.argv.slice(2)], { ...current, ...settings })
}

/** The settings that keep a demo away from any real data; the process keeps its id when it starts itself anew. */
export const demoSettings = () => ({ DATA_DIR: join(tmpdir(), `tollgate-demo-${process.pid}`), DATABASE_URL: '' })
