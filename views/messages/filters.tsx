/** Filters of the sent messages: a search field and a sentence with two days. */
import { TextField } from '../../client/components/field.tsx'
import { Filters, HiddenFields, PickDay, Search, Sentence } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { MESSAGES_PATH, type MessagesView } from './view.ts'

export function MessageFilters({ view: { keyword, start_date, end_date } }: { view: MessagesView }) {
  const { t } = usePageContext()
  const labels = { start_date: t('message.from_day'), end_date: t('message.to_day') }
  const days = { start_date, end_date }
  const sheet = (
    <>
      <HiddenFields of={{ keyword }} />
      <TextField type="date" name="start_date" id="sheet-start" label={labels.start_date} value={start_date} />
      <TextField type="date" name="end_date" id="sheet-end" label={labels.end_date} value={end_date} />
    </>
  )
  const controls = {
    from: <PickDay name="start_date" label={labels.start_date} value={start_date} />,
    to: <PickDay name="end_date" label={labels.end_date} value={end_date} />,
  }
  return (
    <div className="flex flex-wrap items-center gap-2 mb-3 *:!mb-0">
      <Search action={MESSAGES_PATH} value={keyword} placeholder={t('message.search_hint')}>
        <HiddenFields of={days} />
      </Search>
      <Filters action={MESSAGES_PATH} count={[start_date, end_date].filter(Boolean).length} sheet={sheet}>
        <HiddenFields of={{ keyword }} />
        <Sentence text={t('message.sentence')} controls={controls} />
      </Filters>
    </div>
  )
}
