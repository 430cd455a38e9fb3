/** CSV export of the channels, without their keys. */
import { stateName } from '../../../views/channels/channel-state.tsx'
import { testFailureText } from '../../../views/channels/test-failure.ts'
import type { ChannelsView } from '../../../views/channels/view.ts'
import { fromQuota } from '../../billing/quota.ts'
import type { Visit } from '../../contracts/visit.ts'
import { type Channel, providerChoices, walkChannels } from '../../domain/channels/index.ts'
import { translator } from '../../locales/index.ts'
import { nameIn } from '../../locales/makers.ts'
import { now } from '../../process/clock.ts'
import { day } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'

export const exportChannels = (view: ChannelsView, visit: Visit): Response =>
  csvResponse({
    user_id: visit.caller!.id,
    name: `channels-${day(now(), visit.zone)}`,
    columns: columnsOf(visit),
    batches: walkChannels(view),
  })

function columnsOf({ language, status }: Visit): CsvColumn<Channel>[] {
  const t = translator(language)
  const labels = new Map(providerChoices().map(({ type, label }) => [type, nameIn(language, label)]))
  return [
    { head: 'ID', cell: channel => channel.id },
    { head: t('channel.name'), cell: channel => channel.name },
    { head: t('channel.provider'), cell: channel => labels.get(channel.type) ?? channel.type },
    { head: t('channel.state'), cell: channel => t(stateName(channel)) },
    { head: t('channel.groups'), cell: channel => channel.group },
    { head: t('log.model'), cell: channel => channel.models },
    { head: t('channel.tag'), cell: channel => channel.tag },
    { head: t('channel.priority'), cell: channel => channel.priority },
    { head: t('channel.weight'), cell: channel => channel.weight },
    { head: t('channel.used'), cell: channel => fromQuota(channel.used_quota, status) },
    { head: t('channel.response_ms'), cell: channel => channel.response_time },
    {
      head: t('channel.test_failure'),
      cell: ({ test_failure }) => (test_failure ? testFailureText(test_failure, t) : ''),
    },
  ]
}
