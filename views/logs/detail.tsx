/** Detail row of a log entry: receipt and facts. */
import type { ReactNode } from 'react'
import { Flag, State, Tag } from '../../client/components/badge.tsx'
import { Copy } from '../../client/components/copy.tsx'
import { type PageContext, usePageContext } from '../../client/components/page-context.tsx'
import { moneyText, quotaText } from '../../src/billing/quota.ts'
import type { Attempt } from '../../src/contracts/log.ts'
import { seconds } from '../../src/pure/time.ts'
import { ChannelName, KeyName, ModelName, UserName } from '../layout/things.tsx'
import { Bill } from './bill.tsx'
import { CallActions, type CallActionsProps } from './call-actions.tsx'
import { Conversation } from './conversation.tsx'
import { durationOf, isCall, isConsumption, isError, type LogEntryView } from './entry.ts'
import { PassedOver } from './passed-over.tsx'

export const Detail = ({ entry, ...context }: CallActionsProps) => (
  <div className="log-detail">
    {isConsumption(entry) && <Bill entry={entry} refunds={context.opened?.refunds} />}
    <div className="min-w-0">
      <dl className="facts">
        <Facts entry={entry} isOperator={context.isOperator} reader={context.reader} />
      </dl>
      {isCall(entry) && <CallActions entry={entry} {...context} />}
      {isCall(entry) && <Conversation entry={entry} />}
    </div>
  </div>
)

type FactsProps = Pick<CallActionsProps, 'entry' | 'isOperator' | 'reader'>

function Facts({ entry, isOperator, reader }: FactsProps) {
  const { t } = usePageContext()
  const { details, request_id, group, model_name, content } = entry
  return (
    <>
      {request_id && (
        <Fact name={t('log.request')}>
          <span className="mono">{request_id}</span>{' '}
          <Copy text={request_id} className="icon-button wide-only !h-5 !min-w-5 align-middle" />
        </Fact>
      )}
      {details.upstream_model_name && (
        <Fact name={t('log.asked_for')}>
          <ModelName name={model_name} className="mono" /> <Flag>{t('log.mapped')}</Flag>{' '}
          <span className="mono">{details.upstream_model_name}</span>
        </Fact>
      )}
      {!details.upstream_model_name && isCall(entry) && model_name && (
        <Fact name={t('log.model')}>
          <ModelName name={model_name} className="mono" />
        </Fact>
      )}
      <Route entry={entry} />
      {isError(entry) && <Failure entry={entry} />}
      {isConsumption(entry) && <Price entry={entry} />}
      {group && (
        <Fact name={t('log.group')}>
          <Tag name={group} ratio={details.group_ratio} />{' '}
          {details.user_group_ratio !== undefined && (
            <span className="ink-3">{t('log.user_group', { ratio: details.user_group_ratio })}</span>
          )}
        </Fact>
      )}
      {details.passed_over && (
        <Fact name={t('log.passed_over')}>
          <PassedOver passed={details.passed_over} />
        </Fact>
      )}
      <Client {...{ entry, isOperator, reader }} />
      {details.request_path && (
        <Fact name={t('log.endpoint')}>
          <span className="mono">
            {details.ws ? 'GET' : 'POST'} {details.request_path}
          </span>
        </Fact>
      )}
      {details.answered_by && (
        <Fact name={t('log.answered_by')}>
          <span className="mono">{details.answered_by}</span> <span className="ink-3">{t('log.answered_by_note')}</span>
        </Fact>
      )}
      {details.action && (
        <Fact name={t('log.action')}>
          <span className="mono">{details.action}</span>
        </Fact>
      )}
      {details.tariffs && <Fact name={t('log.tariffs')}>{tariffsText(details)}</Fact>}
      <Cache entry={entry} />
      {details.reasoning_effort && <Fact name={t('log.effort')}>{details.reasoning_effort}</Fact>}
      {content && !isError(entry) && <Fact name={t('log.note')}>{content}</Fact>}
      {isConsumption(entry) && <Timing entry={entry} />}
    </>
  )
}

/** What the prompt's cache has saved, and for operators how the conversation chose its channel. */
function Cache({ entry: { details } }: { entry: LogEntryView }) {
  const { t, currency } = usePageContext()
  const { cache_tokens, cache_ratio = 1, model_ratio = 0, multiplier = 1, group_ratio = 1, admin_info } = details
  const quota = (cache_tokens ?? 0) * (1 - cache_ratio) * model_ratio * multiplier * group_ratio
  const saved = quota >= 1 && t('log.cache_saved', { amount: quotaText(Math.floor(quota), currency, PRICE_DECIMALS) })
  const affinity = admin_info?.affinity && t(`log.affinity_${admin_info.affinity}`)
  if (!saved && !affinity) return null
  return <Fact name={t('log.cache')}>{[saved, affinity].filter(Boolean).join(' · ')}</Fact>
}

const tariffsText = ({ tariffs = {}, multiplier = 1 }: LogEntryView['details']) =>
  `${Object.values(tariffs).join(', ')} × ${multiplier}`

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** User and key; a user reads the own name without a link. */
function Client({ entry, isOperator, reader }: FactsProps) {
  const { t } = usePageContext()
  const { user_id, username, token_id, token_name } = entry
  if (!username && !token_name) return null
  return (
    <Fact name={t('log.caller')}>
      {isOperator ? <UserName id={user_id} name={username} /> : username}
      {username && token_name && ' · '}
      {token_name && <KeyName id={token_id} name={token_name} owner={user_id === reader ? undefined : user_id} />}
    </Fact>
  )
}

/** Channels that were tried, with the outcome of each. */
function Route({ entry: { details, channel, channel_name } }: { entry: LogEntryView }) {
  const { t } = usePageContext()
  const { attempts } = details.admin_info ?? {}
  if (!attempts?.length)
    return channel ? (
      <Fact name={t('log.route')}>
        <ChannelName id={channel} name={channel_name} />
      </Fact>
    ) : null
  return (
    <Fact name={t('log.route')}>
      {attempts.map((attempt, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what has happened keeps its order
        <span key={index}>
          {index > 0 && <span className="ink-3"> → </span>}
          <ChannelName id={attempt.channel} name={attempt.name} /> <Outcome {...attempt} />
        </span>
      ))}
    </Fact>
  )
}

const SUCCESS = 200
const REDIRECT = 300

function Outcome({ status, reason }: Attempt) {
  const { t } = usePageContext()
  const answered = status >= SUCCESS && status < REDIRECT && !reason
  return (
    <State tone={answered ? 'open' : 'stopped'}>
      {[status || t('log.no_answer'), reason].filter(Boolean).join(' ')}
    </State>
  )
}

function Failure({ entry: { content, details } }: { entry: LogEntryView }) {
  const { t } = usePageContext()
  const kind = [details.status_code, details.error_type, details.error_code].filter(Boolean).join(' · ')
  return (
    <Fact name={t('log.error')}>
      <State tone="stopped">{content || details.error_type}</State> <span className="ink-3">{kind}</span>
    </Fact>
  )
}

const PRICE_DECIMALS = 6
const MILLION = 1_000_000

/** Of a million tokens, or of the call. @param factor that multiplies it. @returns undefined where it has other units */
export function priceText({ details }: LogEntryView, factor: number, { t, currency }: PageContext): string | undefined {
  const { model_ratio, model_price, completion_ratio = 1 } = details
  const money = (usd: number) => moneyText(usd * factor, 2, PRICE_DECIMALS)
  if (model_price !== undefined && model_price >= 0) return t('log.price_call', { price: money(model_price) })
  if (model_ratio === undefined) return undefined
  const usd = (ratio: number) => money((ratio * MILLION) / currency.quota_per_unit)
  return t('log.price_tokens', { input: usd(model_ratio), output: usd(model_ratio * completion_ratio) })
}

export function Price({ entry }: { entry: LogEntryView }) {
  const page = usePageContext()
  const { t } = page
  const { model_ratio, model_price, completion_ratio, price_version } = entry.details
  if (model_ratio === undefined) return null
  const version = price_version && (
    <span className="ink-3"> · {t('log.price_version', { version: price_version })}</span>
  )
  const isOfCall = model_price !== undefined && model_price >= 0
  return (
    <Fact name={t('log.price')}>
      {priceText(entry, 1, page)}
      {!isOfCall && (
        <span className="ink-3"> · {t('log.ratios', { model: model_ratio, output: completion_ratio ?? 1 })}</span>
      )}
      {version}
    </Fact>
  )
}

/** Time to the first token and total duration. */
function Timing({ entry }: { entry: LogEntryView }) {
  const { t } = usePageContext()
  const total = durationOf(entry)
  const { frt } = entry.details
  const inSeconds = (ms: number, decimals?: number) => t('time.seconds', { value: seconds(ms / 1000, decimals) })
  if (total === undefined) return null
  if (frt === undefined || frt < 0) return <Fact name={t('log.timing')}>{inSeconds(total, 1)}</Fact>
  return (
    <Fact name={t('log.timing')}>
      <div className="timing">
        <span>{t('log.first_token', { time: inSeconds(frt) })}</span>
        <span className="bar" aria-hidden="true">
          <i style={{ width: `${Math.min((frt / total) * 100, 100)}%` }} />
          <i />
        </span>
        <span>{inSeconds(total, 1)}</span>
      </div>
    </Fact>
  )
}
