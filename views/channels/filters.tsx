/** Filters of the channel list: a search field and a sentence. */
import type { ReactNode } from 'react'
import { Filters, HiddenFields, PickSelect, Search, Sentence, SheetSelect } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { NameField, PickName } from '../../client/components/picker.tsx'
import { CHANNELS_PATH, ChannelStatus } from '../../src/contracts/channel.ts'
import type { Translate } from '../../src/locales/index.ts'
import { stateName } from './channel-state.tsx'
import type { ChannelsView } from './view.ts'

/** Number of filters that are set, without the search. */
export const countOf = ({ group, model, status, tag }: ChannelsView) =>
  [group, model, status, tag].filter(Boolean).length

const statesInSentence = (t: Translate) => [
  { value: '', label: t('channel.any_state') },
  { value: ChannelStatus.enabled, label: t('channel.are_enabled') },
  { value: ChannelStatus.disabled, label: t('channel.are_disabled') },
  { value: ChannelStatus.autoDisabled, label: t('channel.are_auto_disabled') },
]

const statesInSheet = (t: Translate) =>
  statesInSentence(t).map(({ value }) => ({ value, label: t(stateName({ status: Number(value) })) }))

interface ChannelFiltersProps {
  view: ChannelsView
  groups: string[]
  /** Switches of the list, at the right. */
  children?: ReactNode
}

export function ChannelFilters({ view, groups, children }: ChannelFiltersProps) {
  const { t } = usePageContext()
  const { keyword, group, model, tag } = view
  const status = view.status === undefined ? undefined : String(view.status)
  const groupOptions = [
    { value: '', label: t('channel.any_group') },
    ...groups.map(name => ({ value: name, label: name })),
  ]
  const labels = { group: t('channel.group'), model: t('channel.model'), status: t('channel.state') }
  const sheet = (
    <>
      <HiddenFields of={{ keyword, tag }} />
      <SheetSelect name="group" id="sheet-group" label={labels.group} options={groupOptions} value={group} />
      <NameField
        of="models"
        name="model"
        id="sheet-model"
        label={labels.model}
        placeholder={t('ui.any')}
        value={model}
      />
      <SheetSelect name="status" id="sheet-status" label={labels.status} options={statesInSheet(t)} value={status} />
    </>
  )
  const controls = {
    group: <PickSelect name="group" label={labels.group} options={groupOptions} value={group} />,
    model: (
      <PickName
        of="models"
        id="pick-model"
        name="model"
        label={labels.model}
        any={t('channel.any_model')}
        value={model}
      />
    ),
    status: <PickSelect name="status" label={labels.status} options={statesInSentence(t)} value={status} />,
  }
  return (
    <div className="flex flex-wrap items-center gap-2 mb-3 *:!mb-0">
      <Search action={CHANNELS_PATH} value={keyword} placeholder={t('channel.search_hint')}>
        <HiddenFields of={{ group, model, status, tag }} />
      </Search>
      <Filters action={CHANNELS_PATH} count={countOf(view)} sheet={sheet}>
        <HiddenFields of={{ keyword, tag }} />
        <Sentence text={t('channel.sentence')} controls={controls} />
        {tag && <span className="tag">{t('channel.tagged', { tag })}</span>}
      </Filters>
      {children}
    </div>
  )
}
