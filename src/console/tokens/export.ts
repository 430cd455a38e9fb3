/** CSV export of a user's API keys, without the keys themselves. */
import { stateName } from '../../../views/tokens/state.tsx'
import { fromQuota } from '../../billing/quota.ts'
import { KEY_PREFIX, KEY_TAIL_LENGTH, NEVER, type Token } from '../../contracts/token.ts'
import type { Visit } from '../../contracts/visit.ts'
import { walkTokens } from '../../domain/tokens/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { commaList, lineList } from '../../pure/lists.ts'
import { day, exact } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'

export const exportTokens = (user_id: number, text: string | undefined, visit: Visit): Response =>
  csvResponse({
    user_id,
    name: `api-keys-${day(now(), visit.zone)}`,
    columns: columnsOf(visit),
    batches: walkTokens(user_id, { text }),
  })

function columnsOf({ language, zone, status }: Visit): CsvColumn<Token>[] {
  const t = translator(language)
  return [
    { head: t('token.name'), cell: token => token.name },
    { head: t('token.key'), cell: token => `${KEY_PREFIX}…${token.key.slice(-KEY_TAIL_LENGTH)}` },
    { head: t('token.state'), cell: token => t(stateName(token)) },
    {
      head: t('token.left'),
      cell: token => (token.unlimited_quota ? t('token.unlimited') : fromQuota(token.remain_quota, status)),
    },
    { head: t('token.used'), cell: token => fromQuota(token.used_quota, status) },
    { head: t('token.group'), cell: token => token.group },
    { head: t('token.fallback_groups'), cell: token => commaList(token.fallback_groups).join(' ') },
    { head: t('token.fallback_models'), cell: token => commaList(token.fallback_models).join(' ') },
    { head: t('picker.models'), cell: token => (token.model_limits_enabled ? token.model_limits : '') },
    { head: t('token.allow_ips'), cell: token => lineList(token.allow_ips).join(' ') },
    {
      head: t('token.expires'),
      cell: token => (token.expired_time === NEVER ? t('time.never') : exact(token.expired_time, zone)),
    },
    {
      head: t('token.last_used'),
      cell: token => (token.accessed_time ? exact(token.accessed_time, zone) : t('token.never_used')),
    },
  ]
}
