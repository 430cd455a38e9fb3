/** Nodes on one database that keep their ports over restarts, and callers that count what fails meanwhile. */
import { createServer } from 'node:net'
import { type Installation, startAt } from '../app/installation.ts'
import { newFolder, type Server } from '../app/server.ts'
import { until } from '../until.ts'

export interface RolledNode {
  port: number
  server: Server
  /** Stops it by SIGTERM and starts it again at its port. @returns the exit code of the one before */
  restart(command?: string[]): Promise<number>
}

export const freePort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** A node with a folder of its own, as on another machine; the place gives database and secret key. */
export async function startNode(
  place: Installation,
  env: Record<string, string>,
  command?: string[],
): Promise<RolledNode> {
  const port = await freePort()
  const settings = { folder: newFolder(), env: { ...place.env, ...env, PORT: String(port) } }
  const start = (command?: string[]) => startAt({ ...place, ...settings }, { command })
  const node: RolledNode = {
    port,
    server: await start(command),
    async restart(next = command) {
      const code = await node.server.stop()
      node.server = await start(next)
      await until(async () => (await fetch(`${node.server.url}/readyz`)).status === 200)
      return code
    },
  }
  return node
}

/** Callers that ask one call after the other until they are stopped. */
export function keepCalling(count: number, call: (index: number) => Promise<string>) {
  let isOver = false
  const outcomes = new Map<string, number>()
  const caller = async (index: number) => {
    while (!isOver) {
      const outcome = await call(index).catch(error => `broken: ${(error as Error).message}`)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  const all = Promise.all(Array.from({ length: count }, (_, index) => caller(index)))
  return {
    outcomes,
    /** @returns how often each outcome came */
    async stop() {
      isOver = true
      await all
      return Object.fromEntries(outcomes)
    },
  }
}
