/** JSON API of the audit log, for root. */
import { Elysia } from 'elysia'
import { AuditQuery } from '../../contracts/audit-log.ts'
import { pageOf } from '../../contracts/paging.ts'
import { listChanges } from '../../domain/audit-log/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'

export const auditLogApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/audit/', async ({ query }) => ok(await listChanges(query, pageOf(query, 1))), {
    root: true,
    query: AuditQuery,
  })
