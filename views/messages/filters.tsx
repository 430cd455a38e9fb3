/** Filters of the sent messages: a search field and a sentence with a range. */
import { Filters, HiddenFields, Search, Sentence } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PickRange, RangeField } from '../../client/components/range.tsx'
import { MESSAGES_PATH, type MessagesView } from './view.ts'

export function MessageFilters({ view: { keyword, range, from, to } }: { view: MessagesView }) {
  const { t } = usePageContext()
  const sheet = (
    <>
      <HiddenFields of={{ keyword }} />
      <RangeField range={range} from={from} to={to} usual={undefined} />
    </>
  )
  const controls = { range: <PickRange range={range} from={from} to={to} usual={undefined} /> }
  return (
    <div className="flex flex-wrap items-center gap-2 mb-3 *:!mb-0">
      <Search action={MESSAGES_PATH} value={keyword} placeholder={t('message.search_hint')}>
        <HiddenFields of={{ range, from, to }} />
      </Search>
      <Filters action={MESSAGES_PATH} count={range ? 1 : 0} sheet={sheet}>
        <HiddenFields of={{ keyword }} />
        <Sentence text={t('message.sentence')} controls={controls} />
      </Filters>
    </div>
  )
}
