/** Tasks by platform and state. */
import { db } from '../../db/database.ts'
import { count } from '../../db/fragments.ts'
import { gauges } from '../../process/metrics/gauge.ts'
import { isUnfinished, tasks } from './table.ts'

gauges('tollgate_tasks', 'Unfinished tasks of the installation.', ['platform', 'state'], async () => {
  const { platform, status } = tasks
  const rows = await db
    .select({ platform, status, total: count() })
    .from(tasks)
    .where(isUnfinished(tasks))
    .groupBy(platform, status)
  return rows.map(({ platform, status, total }) => [[platform, status.toLowerCase()], total] as const)
})
