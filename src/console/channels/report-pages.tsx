/** Route of a channel's report. */

import { z } from 'zod'
import { ChannelReportPage } from '../../../views/channels/report.tsx'
import { CHANNELS_PATH } from '../../contracts/channel.ts'
import { Id } from '../../contracts/paging.ts'
import { listPage, type PageRequest } from '../list-page.ts'
import { render } from '../page.tsx'
import { reportOf } from './report.ts'

const Query = z.object({ as: z.literal('table').optional().catch(undefined) })

type ReportRequest = PageRequest<z.output<typeof Query>> & { params: { id: number } }

export const channelReportPages = listPage(CHANNELS_PATH).get('/:id/report', show, {
  userPage: 'admin',
  query: Query,
  params: Id,
})

/** @throws Refusal 404 */
async function show({ request, visit, query, params }: ReportRequest): Promise<Response> {
  const report = await reportOf(params.id, visit)
  return render(request, visit, <ChannelReportPage report={report} view={query} />, { title: report.name })
}
