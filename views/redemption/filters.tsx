/** Filters of the redemption codes: a search field and a state. */
import { Filters, HiddenFields, PickSelect, Search, Sentence, SheetSelect } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { CODES_PATH, codeStates } from '../../src/contracts/redemption.ts'
import type { CodesView } from './view.ts'

export function CodeFilters({ view: { keyword, state } }: { view: CodesView }) {
  const { t } = usePageContext()
  const label = t('redemption.state')
  const options = [
    { value: '', label: t('redemption.any_state') },
    ...codeStates.map(value => ({ value, label: t(`redemption.state_${value}`) })),
  ]
  const sheet = (
    <>
      <HiddenFields of={{ keyword }} />
      <SheetSelect name="state" id="sheet-state" label={label} options={options} value={state} />
    </>
  )
  return (
    <>
      <Search action={CODES_PATH} value={keyword} placeholder={t('redemption.search_hint')}>
        <HiddenFields of={{ state }} />
      </Search>
      <Filters action={CODES_PATH} count={state ? 1 : 0} sheet={sheet}>
        <HiddenFields of={{ keyword }} />
        <Sentence
          text={t('redemption.sentence')}
          controls={{ state: <PickSelect name="state" label={label} options={options} value={state} /> }}
        />
      </Filters>
    </>
  )
}
