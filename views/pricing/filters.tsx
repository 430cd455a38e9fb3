/** Filters of the price list as a sentence, and as fields on phones. */
import { Filters, HiddenFields, PickSelect, Sentence, SheetSelect } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { GroupOffer } from '../../src/contracts/pricing.ts'
import { nameIn } from '../../src/locales/makers.ts'
import { filterCount, PRICE_KINDS, type PricingView, pricingAt } from './view.ts'

interface PriceFiltersProps {
  view: PricingView
  vendors: string[]
  groups: Record<string, GroupOffer>
  group: string
}

export function PriceFilters(props: PriceFiltersProps) {
  const { t } = usePageContext()
  const { view } = props
  const choices = useChoices(props)
  const controls = Object.fromEntries(
    choices.map(choice => [choice.name, <PickSelect key={choice.name} {...choice} />]),
  )
  const keyword = <HiddenFields of={{ keyword: view.keyword, sort: view.sort }} />
  const sheet = (
    <>
      {keyword}
      {choices.map(choice => (
        <SheetSelect key={choice.name} {...choice} />
      ))}
    </>
  )
  return (
    <Filters action={pricingAt({})} count={filterCount(view)} sheet={sheet}>
      {keyword}
      <Sentence text={t('pricing.sentence')} controls={controls} />
    </Filters>
  )
}

function useChoices({ view, vendors, groups, group }: PriceFiltersProps) {
  const { t, language } = usePageContext()
  const kinds = PRICE_KINDS.map(kind => ({ value: kind, label: t(`pricing.kind_${kind}`) }))
  return [
    {
      name: 'kind',
      label: t('pricing.kind'),
      options: [{ value: '', label: t('pricing.any_kind') }, ...kinds],
      value: view.kind,
    },
    {
      name: 'vendor',
      label: t('pricing.vendor'),
      options: [
        { value: '', label: t('pricing.any_vendor') },
        ...vendors.map(name => ({ value: name, label: nameIn(language, name) })),
      ],
      value: view.vendor,
    },
    {
      name: 'group',
      label: t('pricing.group'),
      options: Object.entries(groups).map(([name, { ratio, desc }]) => ({
        value: name,
        label: `${name} ×${ratio}${desc && desc !== name ? ` · ${desc}` : ''}`,
      })),
      value: group,
    },
  ]
}
