/** Columns of the channel list. */
import { Dot, State, Tag } from '../../client/components/badge.tsx'
import { Form, PageLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Column } from '../../client/components/table.tsx'
import { ChannelStatus, PRIORITY_MAX, PRIORITY_MIN, WEIGHT_MAX } from '../../src/contracts/channel.ts'
import type { ChannelListItem } from '../../src/domain/channels/index.ts'
import type { Translate } from '../../src/locales/index.ts'
import { responsePace } from '../../src/pure/severity.ts'
import { exact, seconds } from '../../src/pure/time.ts'
import { cooldownParams } from './cooldown.ts'
import { HealthStrip } from './health-strip.tsx'
import { type ChannelsView, channelAction, channelsAt } from './view.ts'

export const columnsOf = (t: Translate, view: ChannelsView): Column<ChannelListItem>[] => [
  {
    id: 'name',
    head: t('channel.channel'),
    phone: 'title',
    cell: channel => <ChannelName channel={channel} view={view} />,
  },
  { id: 'state', head: t('channel.state'), phone: 'detail', cell: channel => <ChannelState channel={channel} /> },
  { id: 'health', head: t('channel.last_24h'), phone: 'side', cell: channel => <HealthStrip hours={channel.hours} /> },
  { id: 'response', head: t('channel.response'), phone: 'figure', cell: channel => <ResponseTime channel={channel} /> },
  {
    id: 'groups',
    head: t('channel.groups'),
    optional: true,
    className: 'max-[85rem]:hidden',
    cell: channel => <Groups channel={channel} />,
  },
  {
    id: 'used',
    head: t('channel.used'),
    number: true,
    optional: true,
    className: 'max-[77rem]:hidden',
    cell: channel => <Quota of={channel.used_quota} />,
  },
  {
    id: 'priority',
    head: t('channel.priority'),
    number: true,
    optional: true,
    cell: channel => (
      <InlineNumber
        channel={channel}
        name="priority"
        min={PRIORITY_MIN}
        max={PRIORITY_MAX}
        returnTo={channelsAt(view)}
      />
    ),
  },
  {
    id: 'weight',
    head: t('channel.weight'),
    number: true,
    optional: true,
    cell: channel => (
      <InlineNumber channel={channel} name="weight" min={0} max={WEIGHT_MAX} returnTo={channelsAt(view)} />
    ),
  },
]

const ChannelName = ({ channel: { id, name, label }, view }: { channel: ChannelListItem; view: ChannelsView }) => (
  <span className="stacked inline-block max-w-full align-middle">
    <PageLink className="block truncate sm:max-w-44" title={name} href={channelsAt(view, { edit: id })}>
      {name}
    </PageLink>
    <small className="wide-only">
      #{id} · {label}
    </small>
  </span>
)

function ChannelState({ channel: { status, keys, good_keys, closed, rest } }: { channel: ChannelListItem }) {
  const { t, zone } = usePageContext()
  if (status === ChannelStatus.autoDisabled) {
    return (
      <span className="stacked" title={closed && `${closed.reason} · ${exact(closed.at, zone)}`}>
        <State arm="stopped">{t('channel.auto_disabled')}</State>
        {closed && <small className="sm:truncate sm:max-w-36">{closed.reason}</small>}
      </span>
    )
  }
  const open = status === ChannelStatus.enabled
  if (open && rest) {
    return (
      <span className="stacked" title={cooldownParams(rest, t).reason}>
        <State arm="limited">{t('channel.cooling')}</State>
        <small>{t('channel.back_in', cooldownParams(rest, t, true))}</small>
      </span>
    )
  }
  return (
    <span className="stacked">
      <State arm={open ? 'open' : 'fact'}>{t(open ? 'channel.enabled' : 'channel.disabled')}</State>
      {keys > 1 && (
        <small>
          {good_keys < keys ? t('channel.keys_of', { good: good_keys, keys }) : t('channel.keys', { count: keys })}
        </small>
      )}
    </span>
  )
}

function ResponseTime({ channel: { response_time } }: { channel: ChannelListItem }) {
  const { t } = usePageContext()
  const time = response_time / 1000
  return (
    <Dot pace={responsePace(time)}>
      {response_time ? t('time.seconds', { value: seconds(time) }) : t('channel.untested')}
    </Dot>
  )
}

/** Shows two groups on wide screens, one on narrow ones, and the others as a number with a tooltip. */
function Groups({ channel: { groups } }: { channel: ChannelListItem }) {
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

interface InlineNumberProps {
  channel: ChannelListItem
  name: 'priority' | 'weight'
  min: number
  max: number
  returnTo: string
}

/** Saves on change; without JavaScript, on Enter. */
function InlineNumber({ channel, name, min, max, returnTo }: InlineNumberProps) {
  const { t } = usePageContext()
  return (
    <Form
      action={channelAction(channel.id, '/routing')}
      returnTo={returnTo}
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
        defaultValue={channel[name]}
        aria-label={t(`channel.${name}_of`, { name: channel.name })}
      />
    </Form>
  )
}
