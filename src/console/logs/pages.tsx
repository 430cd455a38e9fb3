import { Elysia } from 'elysia'
import { z } from 'zod'
import { hiddenOf } from '../../../views/logs/columns.tsx'
import { LOGS_PATH } from '../../contracts/log.ts'
import { preferenceCookie } from '../../contracts/preference.ts'
import { now } from '../../process/clock.ts'
import { day } from '../../pure/time.ts'
import { forms } from '../../web/forms.ts'
import { localPath } from '../../web/origin.ts'
import { guard } from '../guard.ts'
import { redirectTo } from '../page.tsx'
import { exportOf } from './export.ts'
import { type Asked, COLUMNS_COOKIE, LogsQuery, seesAll, show, soughtBy, viewOf } from './show.tsx'

const Ticked = z.object({ columns: z.array(z.string()).default([]), returnTo: z.string().optional() })

export const logPages = new Elysia()
  .use(guard)
  .use(forms)
  .get(LOGS_PATH, show, { own: 'signedIn', query: LogsQuery })
  .get(`${LOGS_PATH}/export.csv`, exportTable, { own: 'signedIn', query: LogsQuery })
  .post(
    `${LOGS_PATH}/columns`,
    ({ body }) => {
      const { columns, returnTo } = Ticked.parse(body)
      return redirectTo(localPath(returnTo, LOGS_PATH), undefined, {
        'set-cookie': preferenceCookie(COLUMNS_COOKIE, hiddenOf(columns).join(',')),
      })
    },
    { own: 'signedIn' },
  )

async function exportTable(asked: Asked): Promise<Response> {
  const { visit, caller } = asked
  const table = exportOf(await soughtBy(asked, viewOf(asked)), visit, seesAll(caller))
  return new Response(table, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="usage-${day(now(), visit.zone)}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
