/** A master of Redis with a replica, and three Sentinels that put the replica in its place. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisClient } from 'bun'
import { sentinelProgram } from '../debian-packages.ts'
import { until } from '../until.ts'
import { freePort, startRedis } from './server.ts'

const SENTINELS = 3
const DOWN_AFTER_MS = 1000

export async function startSentinels(name: string) {
  const master = await startRedis()
  const replica = await startRedis(() => ['--replicaof', '127.0.0.1', String(master.port)])
  const children: Bun.Subprocess[] = []
  const ports: number[] = []
  for (let index = 0; index < SENTINELS; index++) {
    const port = await freePort()
    const file = join(mkdtempSync(join(tmpdir(), 'sentinel-')), 'sentinel.conf')
    const lines = [
      ...[`port ${port}`, 'bind 127.0.0.1', `sentinel monitor ${name} 127.0.0.1 ${master.port} 2`],
      `sentinel down-after-milliseconds ${name} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${name} 5000`,
    ]
    await Bun.write(file, `${lines.join('\n')}\n`)
    children.push(Bun.spawn([sentinelProgram()!, file], { stdout: 'ignore', stderr: 'ignore' }))
    ports.push(port)
  }
  const ask = async (port: number, ...command: string[]) => {
    const client = new RedisClient(`redis://127.0.0.1:${port}`, { autoReconnect: false })
    try {
      return await client.send('SENTINEL', command)
    } catch {
      return undefined
    } finally {
      client.close()
    }
  }
  const masterPort = async () => Number((await ask(ports[0]!, 'get-master-addr-by-name', name))?.[1])
  const fieldsOf = (reply: unknown) => JSON.stringify(reply ?? '')
  await until(async () => {
    const seen = fieldsOf(await ask(ports[0]!, 'master', name))
    return /"num-slaves"[:,]"?1/.test(seen) && /"num-other-sentinels"[:,]"?2/.test(seen)
  }, 'the Sentinels know each other and the replica')
  return {
    address: `redis-sentinel://${ports.map(port => `127.0.0.1:${port}`).join()}/${name}`,
    master,
    replica,
    /** Port of the server that the Sentinels name now. */
    masterPort,
    async stop() {
      for (const child of children) child.kill()
      await Promise.all(children.map(child => child.exited))
      await Promise.all([master.stop(), replica.stop()])
    },
  }
}
