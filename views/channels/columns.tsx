/** What the list says of a channel. */
import { Dot, State, Tag } from '../../client/parts/badge.tsx'
import { Form, Go } from '../../client/parts/link.tsx'
import { At } from '../../client/parts/moment.tsx'
import { Quota } from '../../client/parts/money.tsx'
import { useReader } from '../../client/parts/reader.tsx'
import type { Column } from '../../client/parts/table.tsx'
import type { Line } from '../../src/console/channels/lines.ts'
import { ChannelStatus, PRIORITY_MAX, PRIORITY_MIN, WEIGHT_MAX } from '../../src/contracts/channel.ts'
import type { Translate } from '../../src/locales/index.ts'
import { responsePace } from '../../src/pure/colour.ts'
import { seconds } from '../../src/pure/time.ts'
import { Strip } from './strip.tsx'
import { type ChannelsView, channelAction, channelsAt } from './view.ts'

export const columnsOf = (t: Translate, view: ChannelsView): Column<Line>[] => [
  { id: 'name', head: t('channel.channel'), phone: 'main', cell: line => <Name line={line} view={view} /> },
  { id: 'state', head: t('channel.state'), phone: 'sub', cell: line => <ChannelState line={line} /> },
  { id: 'health', head: t('channel.last_24h'), phone: 'side', cell: line => <Strip hours={line.hours} /> },
  { id: 'response', head: t('channel.response'), phone: 'fig', cell: line => <Response line={line} /> },
  { id: 'groups', head: t('channel.groups'), opt: true, cell: line => <Groups line={line} /> },
  { id: 'used', head: t('channel.used'), num: true, opt: true, cell: line => <Quota of={line.used_quota} /> },
  {
    id: 'priority',
    head: t('channel.priority'),
    num: true,
    opt: true,
    cell: line => (
      <Inline line={line} name="priority" min={PRIORITY_MIN} max={PRIORITY_MAX} returnTo={channelsAt(view)} />
    ),
  },
  {
    id: 'weight',
    head: t('channel.weight'),
    num: true,
    opt: true,
    cell: line => <Inline line={line} name="weight" min={0} max={WEIGHT_MAX} returnTo={channelsAt(view)} />,
  },
]

const Name = ({ line: { id, name, label }, view }: { line: Line; view: ChannelsView }) => (
  <span className="two inline-block align-middle">
    <Go href={channelsAt(view, { edit: id })}>{name}</Go>
    <small className="wide-only">
      #{id} · {label}
    </small>
  </span>
)

function ChannelState({ line: { status, keys, closed } }: { line: Line }) {
  const { t } = useReader()
  if (status === ChannelStatus.autoDisabled) {
    return (
      <span className="two" title={closed?.reason}>
        <State arm="stopped">{t('channel.auto_disabled')}</State>
        {closed && (
          <small className="max-w-48 truncate">
            {t('channel.closed_at', { reason: closed.reason })} <At at={closed.at} show="clock" />
          </small>
        )}
      </span>
    )
  }
  const open = status === ChannelStatus.enabled
  return (
    <span className="two">
      <State arm={open ? 'open' : 'fact'}>{t(open ? 'channel.enabled' : 'channel.disabled')}</State>
      {keys > 1 && <small>{t('channel.keys', { count: keys })}</small>}
    </span>
  )
}

function Response({ line: { response_time } }: { line: Line }) {
  const { t } = useReader()
  const time = response_time / 1000
  return (
    <Dot pace={responsePace(time)}>
      {response_time ? t('time.seconds', { value: seconds(time) }) : t('channel.untested')}
    </Dot>
  )
}

const GROUPS_SHOWN = 2

function Groups({ line: { groups } }: { line: Line }) {
  const rest = groups.slice(GROUPS_SHOWN)
  return (
    <span className="tags">
      {groups.slice(0, GROUPS_SHOWN).map(group => (
        <Tag key={group.name} name={group.name} ratio={group.ratio} />
      ))}
      {rest.length > 0 && (
        <span className="tag" title={rest.map(group => `${group.name} ×${group.ratio}`).join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  )
}

interface InlineProps {
  line: Line
  name: 'priority' | 'weight'
  min: number
  max: number
  returnTo: string
}

/** A number that is saved as it is changed; without JavaScript, by Enter. */
function Inline({ line, name, min, max, returnTo }: InlineProps) {
  const { t } = useReader()
  return (
    <Form
      action={channelAction(line.id, 'routing')}
      returnTo={returnTo}
      className="contents"
      hx-trigger="change, submit"
    >
      <input
        className="inl"
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
