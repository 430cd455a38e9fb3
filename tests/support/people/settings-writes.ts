/** Writes of settings by administrators: their routes, each with a change that leaves one entry in the audit log. */
import { desc, eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { auditLog } from '../../../src/domain/audit-log/table.ts'
import { type Person, setUp } from './person.ts'

let quota = 0
const nextQuota = () => String(++quota)

/** A change that an administrator may undo. @returns its id */
async function changed(): Promise<number> {
  const root = await setUp()
  await root.put('/api/option/', { key: 'CheckInMaxQuota', value: nextQuota() })
  return (await root.get('/api/option/history?section=checkIn')).data.items[0].id
}

/** Takes the last change back, and leaves only the entry of that. */
async function undone(person: Person, pathOf: (change: typeof auditLog.$inferSelect) => string) {
  const [change] = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  const response = await person.form(pathOf(change!))
  await db.delete(auditLog).where(eq(auditLog.id, change!.id))
  return response
}

const settingsFile = () => ({ options: { CheckInMaxQuota: nextQuota(), NoSuchOption: '1' } })

export const settingsWrites: Record<string, (person: Person) => Promise<unknown>> = {
  'PUT /api/option/': person => person.put('/api/option/', { key: 'CheckInMaxQuota', value: nextQuota() }),
  'POST /api/option/import': person => person.post('/api/option/import', settingsFile()),
  'POST /api/option/history/:id/undo': async person => person.post(`/api/option/history/${await changed()}/undo`),
  'POST /admin/settings/import': person =>
    person.form('/admin/settings/import', { table: JSON.stringify(settingsFile()), action: 'apply' }),
  'POST /admin/settings/history/:id/undo': async person =>
    person.form(`/admin/settings/history/${await changed()}/undo`),
  'POST /admin/undo/:request_id': async person => {
    await person.put('/api/option/', { key: 'CheckInMaxQuota', value: nextQuota() })
    return undone(person, ({ request_id }) => `/admin/undo/${request_id}`)
  },
  'POST /admin/audit/:id/undo': async person => {
    await changed()
    return undone(person, ({ id }) => `/admin/audit/${id}/undo`)
  },
}

/** They ask another server or show a draft, and change no setting. */
export const settingsTools = [
  'POST /api/option/test_mail',
  'POST /api/option/oidc_discovery',
  'POST /api/system/check_update',
  'POST /admin/settings/preview',
  'POST /admin/settings/oidc-discovery',
  'POST /admin/settings/test-mail',
]
