/** Tasks whose call was lost: the upstream may have accepted them, and none was charged. */
import { and, eq, notInArray } from 'drizzle-orm'
import { NODE_ID, nodeIds } from '../../cluster/node.ts'
import { db } from '../../db/database.ts'
import { dialect } from '../../db/dialect.ts'
import { isBeingSubmitted } from './begin.ts'
import { failUnaccepted, isUnaccepted } from './finish.ts'
import { tasks } from './table.ts'

export const OUTCOME_UNKNOWN = 'outcome unknown'

/** Fails those of dead nodes, and those of this one that it does not submit any more. */
export async function failLost() {
  const { id, task_id, node } = tasks
  const own = await db
    .select({ id, task_id })
    .from(tasks)
    .where(and(isUnaccepted, eq(node, NODE_ID)))
  const others = await db
    .select({ id, task_id })
    .from(tasks)
    .where(and(isUnaccepted, notInArray(node, living())))
  for (const task of [...own.filter(task => !isBeingSubmitted(task.task_id)), ...others])
    await failUnaccepted(task.id, { fail_reason: OUTCOME_UNKNOWN, outcome_unknown: true })
}

/** SQLite has one process: every other one has ended. */
const living = () => (dialect === 'sqlite' ? [NODE_ID] : nodeIds())
