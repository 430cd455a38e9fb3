/** Checklist for administrators from an empty installation to the first call; polls until the call has succeeded. */
import Check from 'lucide/dist/esm/icons/check.mjs'
import type { ReactNode } from 'react'
import { Copy } from '../../client/components/copy.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { WALLET_PATH } from '../../src/contracts/payment.ts'
import { KEY_PREFIX } from '../../src/contracts/token.ts'
import type { Translate } from '../../src/locales/translator.ts'
import { seconds } from '../../src/pure/time.ts'
import { channelAction } from '../channels/view.ts'
import { firstCall } from './snippets.ts'
import { type TokensView, tokensAction, tokensAt } from './view.ts'

export interface FirstStepsProps {
  channel?: { id: number; name: string; model?: string }
  /** Duration of the channel's last successful test. */
  tested_ms?: number
  token?: { id: number; name: string; key: string }
  /** A call has succeeded. */
  called: boolean
  base: string
  view: TokensView
  /** Address of the receipt of the call, once it is in the usage log. */
  receipt?: string
  /** Does not poll: the page around it does. */
  still?: boolean
  /** Steps of a user, who sees no channels. */
  ofUser?: boolean
  /** The user's balance is used up: topping it up comes first. */
  unfunded?: boolean
}

interface Step {
  title: string
  /** Result, once the step is done. */
  done?: ReactNode
  help?: string
  action?: ReactNode
  /** Shows the action before the step is due. */
  ahead?: boolean
}

const POLL = 'every 3s'
/** The first steps are an operator's. */
const OPERATOR_STEPS = 2

export function FirstSteps(props: FirstStepsProps) {
  const { t } = usePageContext()
  const all = useSteps(props)
  const topUp = props.unfunded ? [topUpStep(t)] : []
  const steps = props.ofUser ? [...topUp, ...all.slice(OPERATOR_STEPS)] : all
  const now = steps.findIndex(step => step.done === undefined)
  const polling =
    props.called || props.still
      ? {}
      : { 'hx-get': tokensAction(props.view, 'first-steps'), 'hx-trigger': POLL, 'hx-swap': 'outerMorph' }
  return (
    <section id="first-steps" className="mb-8 max-w-3xl" aria-labelledby="first-steps-title" {...polling}>
      <h2 id="first-steps-title" className="m-0 border-b border-(--ink) pb-1.5 text-[.8125rem]/5 font-semibold">
        {props.called ? t('token.steps_done') : t('token.steps')}
      </h2>
      <ol className="todo" aria-live="polite">
        {steps.map((step, index) => (
          <StepLine key={step.title} step={step} number={index + 1} isNow={index === now} />
        ))}
      </ol>
    </section>
  )
}

const topUpStep = (t: Translate): Step => ({
  title: t('token.step_top_up'),
  action: (
    <a className="btn btn-primary" href={WALLET_PATH}>
      {t('token.step_top_up')}
    </a>
  ),
})

function useSteps({ channel, tested_ms, token, called, base, receipt, view }: FirstStepsProps): Step[] {
  const { t } = usePageContext()
  const call = token && firstCall({ base, key: KEY_PREFIX + token.key, model: channel?.model })
  return [
    {
      title: t('token.step_channel'),
      done: channel?.name,
      action: (
        <a className="btn btn-primary" href="/admin/channels?new">
          {t('token.step_channel')}
        </a>
      ),
    },
    {
      title: t('token.step_test'),
      done: tested_ms ? t('time.seconds', { value: seconds(tested_ms / 1000) }) : undefined,
      action: channel && (
        <ActionButton action={channelAction(channel.id, '/test')} returnTo={tokensAt(view)} className="btn btn-primary">
          {t('token.step_test')}
        </ActionButton>
      ),
    },
    {
      title: t('token.step_token'),
      done: token?.name,
      action: (
        <PageLink className="btn btn-primary" href={tokensAt({}, 'new')}>
          {t('token.create')}
        </PageLink>
      ),
    },
    {
      title: t('token.step_call'),
      done: called ? <Succeeded receipt={receipt} /> : undefined,
      help: t('token.step_call_help'),
      ahead: true,
      action: call && (
        <>
          <Copy text={call}>{t('token.copy_curl')}</Copy>
          <PageLink className="btn btn-ghost plain-only" href={tokensAt({}, { keys: token.id })}>
            {t('token.show_key')}
          </PageLink>
        </>
      ),
    },
  ]
}

function Succeeded({ receipt }: { receipt?: string }) {
  const { t } = usePageContext()
  return (
    <>
      {t('token.step_call_done')}
      {receipt && ' · '}
      {receipt && (
        <a className="text" href={receipt}>
          {t('token.step_call_receipt')}
        </a>
      )}
    </>
  )
}

function StepLine({ step, number, isNow }: { step: Step; number: number; isNow: boolean }) {
  const { title, done, help, action, ahead } = step
  if (done !== undefined) {
    return (
      <li className="done">
        <Icon of={Check} />
        <span>{title}</span>
        <span className="help">{done}</span>
      </li>
    )
  }
  return (
    <li className={isNow ? 'now' : undefined} aria-current={isNow ? 'step' : undefined}>
      <span className="step-number">{number}</span>
      <span>
        {title} {help && <span className="help block">{help}</span>}
      </span>
      {(isNow || ahead) && action}
    </li>
  )
}
