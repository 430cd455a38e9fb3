/** Columns of the channel list, and those that a reader can hide. */
import ChevronDown from 'lucide/dist/esm/icons/chevron-down.mjs'
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import { State, Tag } from '../../client/components/badge.tsx'
import { optionalColumns } from '../../client/components/column-choice.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form, OverlayLink, PageLink, RowButton } from '../../client/components/link.tsx'
import { Maker } from '../../client/components/maker.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Column } from '../../client/components/table.tsx'
import { moneyText } from '../../src/billing/quota.ts'
import { ChannelStatus, type Cooldown, PRIORITY_MAX, PRIORITY_MIN, WEIGHT_MAX } from '../../src/contracts/channel.ts'
import type { ChannelListItem } from '../../src/contracts/channel-list.ts'
import type { Translate } from '../../src/locales/index.ts'
import { day, exact, type Zone } from '../../src/pure/time.ts'
import { cooldownParams, cooldownText } from './cooldown.ts'
import { disablingReason } from './disabling.ts'
import { HealthStrip } from './health-strip.tsx'
import { LastTest } from './last-test.tsx'
import { isTagRow, type ListRow, type TagRow } from './row.ts'
import { type ChannelsView, channelAction, channelsAt } from './view.ts'

export const channelColumns = optionalColumns(
  'channels-table-columns',
  {
    type: 'channel.provider',
    tag: 'channel.tag',
    state: 'channel.state',
    health: 'channel.last_24h',
    response: 'channel.response',
    tested: 'channel.tested',
    groups: 'channel.groups',
    used: 'channel.used',
    priority: 'channel.priority',
    weight: 'channel.weight',
  },
  { groups: 'min-[87rem]:hidden', used: 'min-[77rem]:hidden' },
)

/** Until the reader chooses: the line under the name shows the provider. */
export const HIDDEN_AT_FIRST = ['type', 'tag', 'tested']

export function columnsOf(t: Translate, view: ChannelsView, hidden: string[]): Column<ListRow>[] {
  const cells: Record<(typeof channelColumns.ids)[number], Omit<Column<ListRow>, 'id' | 'head'>> = {
    type: { optional: true, className: 'ink-2', cell: row => !isTagRow(row) && <Maker of={row.label} /> },
    tag: { optional: true, cell: row => !isTagRow(row) && row.tag && <span className="tag">{row.tag}</span> },
    state: {
      phone: 'detail',
      cell: row => (isTagRow(row) ? <TagState row={row} /> : <ChannelState channel={row} />),
    },
    health: { phone: 'side', cell: row => <HealthStrip hours={row.hours} /> },
    response: { phone: 'figure', cell: row => <LastTest row={row} /> },
    tested: { optional: true, className: 'ink-2', cell: row => !isTagRow(row) && <Tested at={row.test_time} /> },
    groups: { optional: true, className: 'max-[87rem]:hidden', cell: row => <Groups groups={row.groups} /> },
    used: {
      number: true,
      optional: true,
      className: 'max-[77rem]:hidden',
      cell: row => (isTagRow(row) ? <Quota of={row.used_quota} /> : <Used channel={row} />),
    },
    priority: {
      number: true,
      optional: true,
      cell: row => <Routing row={row} name="priority" min={PRIORITY_MIN} max={PRIORITY_MAX} view={view} />,
    },
    weight: {
      number: true,
      optional: true,
      cell: row => <Routing row={row} name="weight" min={0} max={WEIGHT_MAX} view={view} />,
    },
  }
  const name: Column<ListRow> = {
    id: 'name',
    head: t('channel.channel'),
    phone: 'title',
    cell: row => (isTagRow(row) ? <TagName row={row} view={view} /> : <ChannelName channel={row} view={view} />),
  }
  const shown = channelColumns.choices(t).filter(({ id }) => !hidden.includes(id))
  return [name, ...shown.map(({ id, label }) => ({ id, head: label, ...cells[id] }))]
}

function TagName({ row: { tag, count, isOpen }, view }: { row: TagRow; view: ChannelsView }) {
  const { t } = usePageContext()
  return (
    <PageLink
      className="tag-name"
      href={channelsAt({ ...view, open: isOpen ? undefined : tag })}
      aria-expanded={isOpen}
      title={tag}
    >
      <Icon of={isOpen ? ChevronDown : ChevronRight} small />
      <span className="stacked min-w-0">
        <span className="block truncate sm:max-w-40">{tag}</span>
        <small className="wide-only">{t('channel.tag_count', { count })}</small>
      </span>
    </PageLink>
  )
}

function TagState({ row: { count, enabled } }: { row: TagRow }) {
  const { t } = usePageContext()
  return <State tone={enabled ? 'open' : 'fact'}>{t('channel.enabled_of', { enabled, count })}</State>
}

const ChannelName = ({
  channel: { id, name, label, ended, isChild },
  view,
}: {
  channel: ChannelListItem & { isChild?: boolean }
  view: ChannelsView
}) => (
  <span className={`stacked inline-block max-w-full align-middle ${isChild ? 'tag-child' : ''}`}>
    <OverlayLink className="block truncate sm:max-w-44" title={name} href={channelsAt(view, { edit: id })}>
      {name}
    </OverlayLink>
    <small className="wide-only truncate sm:max-w-36" title={label}>
      #{id} · {ended && <EndedMark ended={ended} />}
      <Maker of={label} />
    </small>
  </span>
)

function EndedMark({ ended }: { ended: NonNullable<ChannelListItem['ended']> }) {
  const { t } = usePageContext()
  const words = ended.on ? t('provider.ended_on', { date: ended.on }) : t('provider.ended')
  return (
    <>
      <span className="text-(--ink-warning)" title={words}>
        {t('channel.ended_short')}
      </span>{' '}
      ·{' '}
    </>
  )
}

function ChannelState({ channel }: { channel: ChannelListItem }) {
  const { status, keys, good_keys, auto_disabled, cooldown, model_cooldowns, ended } = channel
  const { t, now, zone } = usePageContext()
  if (status === ChannelStatus.autoDisabled) {
    return (
      <span
        className="stacked"
        title={auto_disabled && `${disablingReason(auto_disabled.reason, t)} · ${exact(auto_disabled.at, zone)}`}
      >
        <State tone="stopped">{t('channel.auto_disabled')}</State>
        {auto_disabled && (
          <small className="sm:truncate sm:max-w-28">
            {disablingReason(auto_disabled.reason, t, true)} · {minute(auto_disabled.at, now, zone)}
          </small>
        )}
      </span>
    )
  }
  const open = status === ChannelStatus.enabled
  if (open && cooldown) {
    return (
      <span className="stacked" title={cooldownParams(cooldown, t).reason}>
        <State tone="limited">{t('channel.cooling')}</State>
        <small>{t('channel.back_in', cooldownParams(cooldown, t, true))}</small>
      </span>
    )
  }
  return (
    <span className="stacked">
      <State tone={open ? 'open' : 'fact'}>{t(open ? 'channel.enabled' : 'channel.disabled')}</State>
      {ended && <small className="phone-only text-(--ink-warning)">{t('channel.ended_short')}</small>}
      {open && <ModelCooldowns of={model_cooldowns} />}
      {keys > 1 && (
        <small>
          {good_keys < keys ? t('channel.keys_of', { good: good_keys, keys }) : t('channel.keys', { count: keys })}
        </small>
      )}
    </span>
  )
}

/** The first model, and how many more. A long name gives way to the time. */
function ModelCooldowns({ of: [first, ...others] }: { of: Cooldown[] }) {
  const { t } = usePageContext()
  if (!first) return null
  const more = others.length > 0 ? ` +${others.length}` : ''
  const time = t('time.seconds', { value: first.seconds }) + more
  return (
    <small title={[first, ...others].map(cooldown => cooldownText(cooldown, t)).join('\n')}>
      <span className="phone-only">
        {time} · {first.model}
      </span>
      <span className="wide-only">
        <span className="flex max-w-28 gap-1">
          <span className="truncate">{first.model}</span>
          <span className="shrink-0">{time}</span>
        </span>
      </span>
    </small>
  )
}

/** `13:07`, or `11-20 13:07` of another day. */
function minute(at: number, now: number, zone: Zone): string {
  const text = exact(at, zone).slice(0, 'yyyy-mm-dd hh:mm'.length)
  return text.slice(day(at, zone) === day(now, zone) ? 'yyyy-mm-dd '.length : 'yyyy-'.length)
}

/** Shows two groups on wide screens, one on narrow ones, and the others as a number with a tooltip. */
function Groups({ groups }: Pick<ChannelListItem, 'groups'>) {
  const [first, second, ...rest] = groups
  return (
    <span className="tags">
      {first && <Tag {...first} />}
      {second && (
        <span className="max-[90rem]:hidden">
          <Tag {...second} />
        </span>
      )}
      {second && <MoreGroups className="min-[90rem]:hidden" groups={[second, ...rest]} />}
      {rest.length > 0 && <MoreGroups className="max-[90rem]:hidden" groups={rest} />}
    </span>
  )
}

const MoreGroups = ({ className, groups }: { className: string; groups: ChannelListItem['groups'] }) => (
  <span className={`tag ${className}`} title={groups.map(group => `${group.name} ×${group.ratio}`).join(', ')}>
    +{groups.length}
  </span>
)

const Tested = ({ at }: { at: number }) => (at ? <Ago at={at} /> : '—')

/** What the channel has cost, and what its account has left: a click asks the provider anew. */
function Used({ channel: { id, name, used_quota, left, balance_updated_time } }: { channel: ChannelListItem }) {
  const { t } = usePageContext()
  const text = left && balance_updated_time > 0 ? moneyIn(left) : undefined
  return (
    <span className="stacked">
      <Quota of={used_quota} />
      {left && (
        <small>
          <RowButton
            action={channelAction(id, '/balance')}
            className="balance"
            title={t('channel.balance_update', { name })}
          >
            {text ? t('channel.balance_left', { amount: text }) : t('channel.balance_ask')}
          </RowButton>
        </small>
      )}
    </span>
  )
}

const moneyIn = ({ amount, currency }: NonNullable<ChannelListItem['left']>) =>
  moneyText(amount, 2).replace('$', currency === 'CNY' ? '¥' : '$')

interface RoutingProps {
  row: ListRow
  name: 'priority' | 'weight'
  min: number
  max: number
  view: ChannelsView
}

/** A number that saves on change; without JavaScript, on Enter. Channels of a tag that differ are `mixed`. */
function Routing({ row, name, min, max, view }: RoutingProps) {
  const { t } = usePageContext()
  if (isTagRow(row)) {
    return <span className="ink-3">{row[name] ?? t('channel.mixed')}</span>
  }
  return (
    <Form
      action={channelAction(row.id, '/routing')}
      returnTo={channelsAt(view)}
      className="contents"
      hx-trigger="change"
      hx-sync="queue last"
    >
      <input
        className="inline-number"
        type="number"
        required
        name={name}
        min={min}
        max={max}
        defaultValue={row[name]}
        aria-label={t(`channel.${name}_of`, { name: row.name })}
      />
    </Form>
  )
}
