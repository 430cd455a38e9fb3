/** What each node says of itself once a minute, for the diagnostics page. */
import { hostname } from 'node:os'
import { gte } from 'drizzle-orm'
import type { NodeFacts } from '../contracts/diagnostics.ts'
import { db } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { env } from '../env.ts'
import { readingsOf } from '../process/metrics/registry.ts'
import { VERSION } from '../pure/version.ts'
import { leaseStart, NODE_ID } from './node.ts'
import { nodes } from './table.ts'

type NodeState = Pick<NodeFacts, 'address' | 'started_time' | 'memory_bytes' | 'loop_lag_ms' | 'calls'>

const MS_PER_SECOND = 1000

export async function stateHere(): Promise<NodeState> {
  const [started, memory, lag, inflight] = await Promise.all(
    [
      'tollgate_process_start_time_seconds',
      'tollgate_process_resident_memory_bytes',
      'tollgate_loop_lag_seconds',
      'tollgate_inflight',
    ].map(readingsOf),
  )
  return {
    address: env.PORT ? `${hostname()}:${env.PORT}` : hostname(),
    started_time: started!.get('') ?? 0,
    memory_bytes: memory!.get('') ?? 0,
    loop_lag_ms: Math.round((lag!.get('') ?? 0) * MS_PER_SECOND),
    calls: inflight!.get('kind="calls"') ?? 0,
  }
}

/** Those that are alive; of this node as it is now, of the others as they were within the last minute. */
export async function nodeFacts(): Promise<NodeFacts[]> {
  const here = { id: NODE_ID, is_this: true, version: VERSION, ...(await stateHere()) }
  if (dialect === 'sqlite') return [here]
  const rows = await db.select().from(nodes).where(gte(nodes.seen_time, leaseStart))
  const own = rows.find(({ id }) => id === NODE_ID)
  const others = rows.filter(row => row !== own)
  return [
    { ...here, clock_offset_ms: own?.clock_offset_ms },
    ...others.map(({ id, version, clock_offset_ms, state }) => ({
      ...{ id, version, clock_offset_ms, is_this: false },
      ...stateOf(state),
    })),
  ]
}

/** A node of the release before says nothing of itself. */
const stateOf = (text: string): NodeState =>
  text ? JSON.parse(text) : { address: '', started_time: 0, memory_bytes: 0, loop_lag_ms: 0, calls: 0 }
