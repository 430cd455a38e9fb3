/** Failures of a test run, grouped by their reason; the ticked channels of a group are disabled together. */
import { Form, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { type ChannelsView, channelsAction, channelsAt } from './view.ts'

export interface FailedTest {
  id: number
  name: string
  /** Absent when the channel has been deleted since. */
  status?: number
  failure: string
}

/** The commonest reason first. */
export function RunFailures({ view, failed }: { view: ChannelsView; failed: FailedTest[] }) {
  const groups = [...Map.groupBy(failed, ({ failure }) => failure)].sort(([, a], [, b]) => b.length - a.length)
  return groups.map(([reason, channels]) => <Failure key={reason} view={view} reason={reason} channels={channels} />)
}

function Failure({ view, reason, channels }: { view: ChannelsView; reason: string; channels: FailedTest[] }) {
  const { t } = usePageContext()
  const on = channels.filter(isOn)
  return (
    <Form action={channelsAction('selected', view)} returnTo={channelsAt(view)} className="run-failure">
      <h3>
        <span className="dot bad">
          {channels.length} × {reason}
        </span>
      </h3>
      <ul>
        {channels.map(channel => (
          <li key={channel.id}>
            {isOn(channel) && (
              <input
                type="checkbox"
                className="checkbox"
                name="ids[]"
                value={channel.id}
                defaultChecked
                aria-label={channel.name}
              />
            )}
            <PageLink href={channelsAt(view, { edit: channel.id })}>{channel.name}</PageLink>
            {channel.status === ChannelStatus.autoDisabled && (
              <span className="help">{t('channel.auto_disabled')}</span>
            )}
          </li>
        ))}
      </ul>
      {on.length > 0 && (
        <button type="submit" name="action" value="disable" className="btn btn-sm">
          {t('channel.disable_these')}
        </button>
      )}
    </Form>
  )
}

const isOn = ({ status }: FailedTest) => status === ChannelStatus.enabled
