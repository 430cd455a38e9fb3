/** `tollgate demo`: the server on a temporary database with users, channels, a month of usage and a built-in upstream. */
import { rmSync } from 'node:fs'
import { env } from '../env.ts'
import { demoSettings } from '../process/reexec.ts'
import { onShutdown, StartupError } from '../process/shutdown.ts'
import { serve } from './serve.ts'

export async function demo(): Promise<undefined> {
  if (env.DATA_DIR !== demoSettings().DATA_DIR) throw new StartupError('a demo cannot be started on this system')
  const { DEMO_ROOT, DEMO_USER, fillDemo } = await import('./demo/site.ts')
  const { startTraffic } = await import('./demo/traffic.ts')
  onShutdown('database', () => rmSync(env.DATA_DIR, { recursive: true, force: true }))
  let keys: string[] = []
  await serve({
    prepare: async () => {
      keys = await fillDemo()
    },
    listening: port => startTraffic(port, keys),
  })
  process.stdout.write(
    `This is a demo: its data is deleted when it stops. Sign in as ${DEMO_ROOT.username} / ${DEMO_ROOT.password}\n` +
      `${DEMO_USER} is an ordinary user with the same password\n`,
  )
}
