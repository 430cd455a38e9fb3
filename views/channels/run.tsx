/** Progress and results of a run over many channels, polled until it is over. */
import { Drawer } from '../../client/components/drawer.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { moneyText } from '../../src/billing/quota.ts'
import { seconds } from '../../src/pure/time.ts'
import { RunFailures } from './run-failures.tsx'
import { type ChannelsView, channelsAt, runAt } from './view.ts'

export interface RunProgress {
  kind: 'test' | 'balance'
  is_running: boolean
  started_time: number
  total: number
  results: { id: number; name: string; value?: number; currency?: string; failure?: string; status?: number }[]
}

interface RunProps {
  view: ChannelsView
  kind: RunProgress['kind']
  /** Absent when there was no run within a day. */
  run?: RunProgress
}

const titles = { test: 'channel.run_test', balance: 'channel.run_balance' } as const

export function RunDrawer(props: RunProps) {
  const { t } = usePageContext()
  return (
    <Drawer title={t(titles[props.kind])} close={channelsAt(props.view)}>
      <RunState {...props} />
    </Drawer>
  )
}

const POLL = 'every 1s'

export function RunState({ view, kind, run }: RunProps) {
  const { t } = usePageContext()
  if (!run) return <p className="m-0 ink-2">{t('channel.run_none')}</p>
  const { is_running, total, results, started_time } = run
  const failed = results.filter(result => result.failure)
  const passed = results.filter(result => !result.failure)
  const isGrouped = kind === 'test' && !is_running
  const polling = is_running
    ? { 'hx-get': runAt(kind, view), 'hx-trigger': POLL, 'hx-swap': 'outerMorph', 'hx-target': 'this' }
    : {}
  return (
    <section id="channel-run" className="channel-run" {...polling}>
      <p role="status" className="m-0">
        <b>{t('channel.run_done', { done: results.length, total })}</b>
        {failed.length > 0 && (
          <span className="text-(--ink-error)"> · {t('channel.run_failed', { count: failed.length })}</span>
        )}
        <span className="ink-3">
          {' · '}
          {is_running ? t('channel.run_on') : <Ago at={started_time} />}
        </span>
      </p>
      <progress value={results.length} max={Math.max(total, 1)} aria-label={t(titles[kind])} />
      {is_running && (
        <noscript>
          <a className="btn" href={channelsAt(view, { run: kind })}>
            {t('channel.run_reload')}
          </a>
        </noscript>
      )}
      {isGrouped && (
        <RunFailures view={view} failed={failed.map(result => ({ ...result, failure: result.failure! }))} />
      )}
      <ul>
        {(isGrouped ? passed : [...failed, ...passed]).map(({ id, name, failure, value = 0, currency }) => (
          <li key={id}>
            <PageLink href={channelsAt(view, { edit: id })}>{name}</PageLink>
            {failure ? (
              <span className="dot bad">{failure}</span>
            ) : (
              <span className="dot ok">
                {kind === 'test'
                  ? t('time.seconds', { value: seconds(value) })
                  : moneyText(value, 2).replace('$', currency === 'CNY' ? '¥' : '$')}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
