/** The database in memory as the migrations leave it, copied from a file of the whole run: they take four times as long. */
import { sqlite } from '../../../src/db/database.ts'
import { dialect } from '../../../src/db/dialect.ts'

interface Part {
  name: string
  type: 'table' | 'index'
  sql: string
}

const PARTS = `select name, type, sql from made.sqlite_schema where sql is not null and name not like 'sqlite_%'
  order by type desc`

/** Nothing when a test file is run by itself. */
export function copyMigrated() {
  const { MIGRATED_FILE } = process.env
  if (!MIGRATED_FILE || dialect !== 'sqlite') return
  const own = sqlite!
  own.run(`attach '${MIGRATED_FILE}' as made`)
  const parts = own.query<Part, []>(PARTS).all()
  own.transaction(() => {
    for (const { sql } of parts) own.run(sql)
    for (const { name, type } of parts)
      if (type === 'table') own.run(`insert into main."${name}" select * from made."${name}"`)
  })()
  own.run('detach made')
}
