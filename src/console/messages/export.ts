/** CSV export of the sent messages. */
import type { MessageFilter, SentMessage } from '../../contracts/message.ts'
import type { Visit } from '../../contracts/visit.ts'
import { walkMessages } from '../../domain/messages/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { day, exact } from '../../pure/time.ts'
import { type CsvColumn, csvResponse } from '../../web/csv.ts'

export const exportMessages = (filter: MessageFilter, visit: Visit): Response =>
  csvResponse({
    user_id: visit.caller!.id,
    name: `messages-${day(now(), visit.zone)}`,
    columns: columnsOf(visit),
    batches: walkMessages(filter),
  })

function columnsOf({ language, zone }: Visit): CsvColumn<SentMessage>[] {
  const t = translator(language)
  return [
    { head: t('message.sent'), cell: message => exact(message.created_time, zone) },
    { head: t('message.title'), cell: message => message.title },
    { head: t('message.format'), cell: message => message.format },
    { head: t('message.content'), cell: message => message.content },
    { head: t('message.recipients'), cell: message => message.total_recipients },
    { head: t('message.read'), cell: message => message.read_count },
  ]
}
