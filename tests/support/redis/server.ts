/** Redis on a port of its own, which stops and starts again. */
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisClient } from 'bun'
import { redisProgram } from '../debian-packages.ts'
import { until } from '../until.ts'

/** @returns its address, and what ends it and starts it again */
export async function startRedis() {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const dir = mkdtempSync(join(tmpdir(), 'redis-'))
  let child: Bun.Subprocess | undefined
  const start = async () => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir]
    child = Bun.spawn([redisProgram()!, ...settings], { stdout: 'ignore', stderr: 'ignore' })
    await until(() => isUp(url), 'Redis answers')
  }
  const stop = async () => {
    child?.kill()
    await child?.exited
  }
  await start()
  return { url, start, stop }
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

const freePort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
