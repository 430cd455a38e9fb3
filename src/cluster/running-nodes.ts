/** Nodes on a PostgreSQL database that this process reads or fills without being one of them. */
import { LEASE_SECONDS } from './node.ts'

interface Connection {
  query(statement: string): Promise<unknown[]>
}

export const hasRunningNodes = async (connection: Connection): Promise<boolean> =>
  (
    await connection.query(
      `select id from nodes where seen_time >= cast(extract(epoch from now()) as bigint) - ${LEASE_SECONDS}`,
    )
  ).length > 0

/**
 * Until the end of its transaction a node that starts waits with its first heartbeat.
 * @returns whether a node runs already
 */
export async function keepNodesFrom(connection: Connection): Promise<boolean> {
  await connection.query('lock table nodes in share row exclusive mode')
  return hasRunningNodes(connection)
}
