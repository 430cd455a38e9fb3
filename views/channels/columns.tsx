/** What the list says of a channel. */
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
  { id: 'name', head: t('channel.channel'), phone: 'title', cell: line => <ChannelName line={line} view={view} /> },
  { id: 'state', head: t('channel.state'), phone: 'detail', cell: line => <ChannelState line={line} /> },
  { id: 'health', head: t('channel.last_24h'), phone: 'side', cell: line => <HealthStrip hours={line.hours} /> },
  { id: 'response', head: t('channel.response'), phone: 'figure', cell: line => <ResponseTime line={line} /> },
  {
    id: 'groups',
    head: t('channel.groups'),
    optional: true,
    className: 'max-[85rem]:hidden',
    cell: line => <Groups line={line} />,
  },
  {
    id: 'used',
    head: t('channel.used'),
    number: true,
    optional: true,
    className: 'max-[77rem]:hidden',
    cell: line => <Quota of={line.used_quota} />,
  },
  {
    id: 'priority',
    head: t('channel.priority'),
    number: true,
    optional: true,
    cell: line => (
      <InlineNumber line={line} name="priority" min={PRIORITY_MIN} max={PRIORITY_MAX} returnTo={channelsAt(view)} />
    ),
  },
  {
    id: 'weight',
    head: t('channel.weight'),
    number: true,
    optional: true,
    cell: line => <InlineNumber line={line} name="weight" min={0} max={WEIGHT_MAX} returnTo={channelsAt(view)} />,
  },
]

const ChannelName = ({ line: { id, name, label }, view }: { line: ChannelListItem; view: ChannelsView }) => (
  <span className="stacked inline-block max-w-full align-middle">
    <PageLink className="block truncate sm:max-w-44" title={name} href={channelsAt(view, { edit: id })}>
      {name}
    </PageLink>
    <small className="wide-only">
      #{id} · {label}
    </small>
  </span>
)

function ChannelState({ line: { status, keys, good_keys, closed, rest } }: { line: ChannelListItem }) {
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

function ResponseTime({ line: { response_time } }: { line: ChannelListItem }) {
  const { t } = usePageContext()
  const time = response_time / 1000
  return (
    <Dot pace={responsePace(time)}>
      {response_time ? t('time.seconds', { value: seconds(time) }) : t('channel.untested')}
    </Dot>
  )
}

/** Two fit into a wide list, one into a narrow one; the rest is a number that tells itself on hover. */
function Groups({ line: { groups } }: { line: ChannelListItem }) {
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
  line: ChannelListItem
  name: 'priority' | 'weight'
  min: number
  max: number
  returnTo: string
}

/** A number that is saved as it is changed; without JavaScript, by Enter. */
function InlineNumber({ line, name, min, max, returnTo }: InlineNumberProps) {
  const { t } = usePageContext()
  return (
    <Form
      action={channelAction(line.id, '/routing')}
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
        defaultValue={line[name]}
        aria-label={t(`channel.${name}_of`, { name: line.name })}
      />
    </Form>
  )
}
