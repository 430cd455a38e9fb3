/** What runs here: versions, start, database, nodes. */

import { countNodes } from '../../cluster/node.ts'
import type { SystemInfo } from '../../contracts/system.ts'
import { databaseFacts } from '../../db/database-server.ts'
import { publicStatus } from '../options/index.ts'

export async function systemInfo(): Promise<SystemInfo> {
  const { version, start_time } = publicStatus()
  const [{ engine, size_bytes }, nodes] = await Promise.all([databaseFacts(), countNodes()])
  const runtime = `Bun ${Bun.version}, ${process.platform} ${process.arch}`
  return { version, start_time, runtime, database: engine, database_bytes: size_bytes, nodes }
}
