/** CSV export of redemption codes, streamed while they are read. */
import { stateName, usesText } from '../../../views/redemption/state.tsx'
import { fromQuota } from '../../billing/quota.ts'
import type { Redemption } from '../../contracts/redemption.ts'
import type { Visit } from '../../contracts/visit.ts'
import { type CodeSearch, walkCodes } from '../../domain/redemption/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { day, exact } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'

export const exportCodes = (search: CodeSearch, visit: Visit): Response =>
  csvResponse({
    user_id: visit.caller!.id,
    name: `codes-${day(now(), visit.zone)}`,
    columns: columnsOf(visit),
    batches: walkCodes(search),
  })

function columnsOf({ language, status, zone }: Visit): CsvColumn<Redemption>[] {
  const t = translator(language)
  const moment = (at: number) => (at ? exact(at, zone) : '')
  return [
    { head: t('redemption.id'), cell: code => code.id },
    { head: t('redemption.name'), cell: code => code.name },
    { head: t('redemption.code'), cell: code => code.key },
    { head: t('redemption.quota'), cell: code => fromQuota(code.quota, status) },
    { head: t('redemption.state'), cell: code => t(stateName(code, now())) },
    { head: t('redemption.uses'), cell: code => usesText(code) },
    { head: t('redemption.used_by'), cell: code => code.used_username },
    { head: t('redemption.used_time'), cell: code => moment(code.redeemed_time) },
    { head: t('redemption.valid_from'), cell: code => moment(code.valid_from) },
    { head: t('redemption.valid_until'), cell: code => moment(code.valid_until) },
    { head: t('redemption.created_time'), cell: code => moment(code.created_time) },
  ]
}
