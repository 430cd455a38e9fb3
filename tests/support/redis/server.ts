/** Redis on a port of its own, which stops and starts again. */
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisClient } from 'bun'
import { redisProgram } from '../debian-packages.ts'
import { until } from '../until.ts'

/**
 * @param more of the command line
 * @param addressOf its address as this process asks it, by its port
 * @returns its address, and what ends it and starts it again
 */
export async function startRedis(
  more: (port: number) => string[] = () => [],
  addressOf = (port: number) => `redis://127.0.0.1:${port}`,
) {
  const port = await freePort()
  const url = addressOf(port)
  const dir = mkdtempSync(join(tmpdir(), 'redis-'))
  let child: Bun.Subprocess | undefined
  const start = async () => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir, ...more(port)]
    child = Bun.spawn([redisProgram()!, ...settings], { stdout: 'ignore', stderr: 'ignore' })
    await until(() => isUp(url), 'Redis answers')
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child?.kill(signal)
    await child?.exited
  }
  await start()
  return { url, port, start, stop: () => stop(), kill: () => stop('SIGKILL') }
}

async function isUp(url: string): Promise<boolean> {
  const client = new RedisClient(url, { autoReconnect: false })
  try {
    return (await client.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    client.close()
  }
}

export const freePort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
