/** Lists of a channel's report: errors, changes of the status, keys. */
import { PageLink } from '../../client/components/link.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ChannelStatus, type KeyState } from '../../src/contracts/channel.ts'
import { LogType } from '../../src/contracts/log.ts'
import { logsAt } from '../logs/view.ts'
import { KeyStateBadge } from './keys.tsx'
import type { ChannelReport } from './report-view.ts'

export function Errors({ of: { id: channel, errors } }: { of: ChannelReport }) {
  const { t } = usePageContext()
  if (!errors.length) return <p className="help m-0">{t('report.no_errors')}</p>
  return (
    <ol className="report-list">
      {errors.map(({ id, at, model, code, text }) => (
        <li key={id}>
          <span className="when">
            <Ago at={at} />
          </span>
          <span className="what">
            <PageLink className="hover:underline" href={logsAt({ channel, type: LogType.error }, { open: id })}>
              {code && <b className="number">{code} </b>}
              {text}
            </PageLink>
            <small>{model}</small>
          </span>
        </li>
      ))}
    </ol>
  )
}

export function Events({ of: { events } }: { of: ChannelReport }) {
  const { t } = usePageContext()
  if (!events.length) return <p className="help m-0">{t('report.no_events')}</p>
  return (
    <ol className="report-list">
      {events.map(({ at, text, by }) => (
        <li key={`${at} ${text}`}>
          <span className="when">
            <Ago at={at} />
          </span>
          <span className="what">
            {text}
            {by !== undefined && <small>{t('report.by', { name: by })}</small>}
          </span>
        </li>
      ))}
    </ol>
  )
}

const KEYS_SHOWN = 8

/** The keys that take no calls come first. */
export function KeyList({ keys }: { keys: KeyState[] }) {
  const { t } = usePageContext()
  const sorted = keys.toSorted((one, other) => Number(isGood(one)) - Number(isGood(other)))
  return (
    <>
      <div className="figure-head">
        <h2>
          {t('channel.of_keys')} <small>{keys.length}</small>
        </h2>
      </div>
      {!keys.length && <p className="help m-0">{t('report.no_keys')}</p>}
      <ul className="report-list">
        {sorted.slice(0, KEYS_SHOWN).map(key => (
          <li key={key.id}>
            <code className="when">{key.key}</code>
            <span className="what">
              <KeyStateBadge of={key} />
            </span>
          </li>
        ))}
      </ul>
      {keys.length > KEYS_SHOWN && <p className="help">{t('report.more_keys', { count: keys.length - KEYS_SHOWN })}</p>}
    </>
  )
}

const isGood = ({ status, cooldown }: KeyState) => status === ChannelStatus.enabled && !cooldown
