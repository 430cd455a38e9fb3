/** The usage log as root reads it. */
import { entriesOf } from '../../../src/console/logs/entries.ts'
import { LogQuery } from '../../../src/contracts/log.ts'
import { pageOf } from '../../../src/contracts/paging.ts'
import { parse } from '../../../src/contracts/parse.ts'
import { findPage, scopeToAll } from '../../../src/domain/logs/index.ts'
import { wired } from '../people/actor.ts'
import type { Person } from '../people/person.ts'

/** The newest entries of the log, newest first, details parsed; seen by root. */
export async function logsOf({ username }: Person, type = 2): Promise<any> {
  const query = parse(LogQuery, { p: '1', page_size: '20', type: String(type), username })
  const { rows } = await findPage(await scopeToAll(query), pageOf(query, 1))
  const entries = await entriesOf(rows, true, 'en')
  return entries.map(entry => ({ ...wired(entry), other: JSON.parse(entry.other || '{}') }))
}
