/** `tollgate [serve | migrate [--check] | audit [--bills] | backup FILE | restore [FILE | BACKUP_URL] [--at SECOND] | move --to ADDRESS | import FROM | shadow report --against DSN | reset-password NAME [--lift-second-factor] | sign-in-link NAME | rotate-key | demo]` */
import { demoSettings, reexecWith } from './process/reexec.ts'

// Everything else is imported after the restart, or the process would load it twice.

/**
 * Read by the runtime only at the start of the process. `fetch` runs as many requests at once as Bun allows, and the heap
 * doubles between two collections: on a machine with 16 GB and more it would triple.
 */
const runtimeSettings = { BUN_CONFIG_MAX_HTTP_REQUESTS: '65535', BUN_JSC_heapGrowthMaxIncrease: '1' }

const commands: Record<string, (args: string[]) => Promise<number | undefined>> = {
  serve: async () => (await import('./commands/serve.ts')).serve(),
  demo: async () => (await import('./commands/demo.ts')).demo(),
  migrate: async args => (await import('./commands/migrate.ts')).migrateOnly(args),
  audit: async args => (await import('./commands/audit.ts')).audit(args),
  backup: async args => (await import('./commands/backup.ts')).backup(args),
  restore: async args => (await import('./commands/restore.ts')).restore(args),
  move: async args => (await import('./commands/move.ts')).move(args),
  import: async args => (await import('./commands/import.ts')).importFrom(args),
  shadow: async args => (await import('./commands/shadow.ts')).shadow(args),
  'reset-password': async args => (await import('./commands/reset-password.ts')).resetPassword(args),
  'sign-in-link': async args => (await import('./commands/sign-in-link.ts')).signInLink(args),
  'rotate-key': async args => (await import('./commands/rotate-key.ts')).rotateKey(args),
}

/** Files are readable by their owner only: the database holds prompts and hashes, the data folder a key. */
const OWNER_ONLY = 0o077

async function main([name = 'serve', ...args]: string[]): Promise<number | undefined> {
  const command = commands[name]
  if (!command) throw await unknown(name)
  process.umask(OWNER_ONLY)
  if (name === 'serve') reexecWith(runtimeSettings)
  if (name === 'demo') reexecWith({ ...runtimeSettings, ...demoSettings() })
  return command(args)
}

async function unknown(name: string): Promise<Error> {
  const { StartupError } = await import('./process/shutdown.ts')
  return new StartupError(`there is no command ${name}; there are ${Object.keys(commands).join(', ')}`)
}

try {
  const code = await main(Bun.argv.slice(2))
  if (code !== undefined) process.exit(code)
} catch (error) {
  const { StartupError } = await import('./process/shutdown.ts')
  process.stderr.write(
    `tollgate: ${error instanceof StartupError ? error.message : ((error as Error).stack ?? error)}\n`,
  )
  process.exit(1)
}
