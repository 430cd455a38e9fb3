/** The line below an answer: model, tokens, seconds, cost. It opens the receipt, which the usage log has soon after. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { quotaText } from '../../src/billing/quota.ts'
import { PLAYGROUND_RECEIPT_PATH } from '../../src/contracts/playground.ts'
import { grouped } from '../../src/pure/number.ts'
import { usePageContext } from '../components/page-context.tsx'
import { Receipt } from '../components/receipt.tsx'
import { callApi } from '../query.ts'
import { type Answer, type AnswerBill, isRunning } from './conversation.ts'
import { usePlayground } from './session-context.tsx'

const ASKED_MAX = 20
const ASK_EVERY_MS = 1000
/** The server looks for calls of the last day. */
const FINDABLE_MS = 86_400_000

/** Asks for the bill until it is in the log, and keeps it with the answer. */
function useBill(answer: Answer) {
  const { session } = usePlayground()
  const { request_id, bill, started_at } = answer
  const isWanted = !bill && request_id !== undefined && !isRunning(answer) && answer.state !== 'error'
  const { data } = useQuery({
    queryKey: ['playground-receipt', request_id],
    queryFn: () => callApi<AnswerBill | null>('GET', `${PLAYGROUND_RECEIPT_PATH}/${encodeURIComponent(request_id!)}`),
    enabled: isWanted && Date.now() - started_at < FINDABLE_MS,
    refetchInterval: ({ state }) => (state.data || state.dataUpdateCount >= ASKED_MAX ? false : ASK_EVERY_MS),
  })
  useEffect(() => {
    if (data && isWanted) session.bill(answer, data)
  }, [data, isWanted, session, answer])
}

export function AnswerLine({ answer }: { answer: Answer }) {
  const { currency } = usePageContext()
  const { opened, openReceipt } = usePlayground()
  useBill(answer)
  const { id, bill, model } = answer
  const isOpen = opened === id
  const facts = (
    <>
      <span>{model}</span>
      <Tokens answer={answer} />
      <Seconds answer={answer} />
    </>
  )
  if (!bill) {
    return (
      <span className="answer-line">
        {facts}
        {isRunning(answer) && <RunningCost answer={answer} />}
      </span>
    )
  }
  return (
    <>
      <button
        type="button"
        className="answer-line"
        aria-expanded={isOpen}
        onClick={() => openReceipt(isOpen ? undefined : id)}
      >
        {facts}
        <u>{quotaText(bill.slip.quota, currency, 6)}</u>
      </button>
      {isOpen && (
        <div className="receipt-below" ref={element => element?.scrollIntoView({ block: 'nearest' })}>
          <Receipt {...bill.slip} />
        </div>
      )}
    </>
  )
}

/** Counted by the gateway; estimated until then. */
function Tokens({ answer: { bill, tokens, state, text } }: { answer: Answer }) {
  const { t } = usePageContext()
  if (state === 'error' && !text) return null
  const input = bill?.prompt_tokens ?? tokens.input
  const output = bill?.completion_tokens ?? tokens.output
  return <span>{t('playground.tokens', { input: grouped(input), output: grouped(output) })}</span>
}

const MS = 1000

function Seconds({ answer }: { answer: Answer }) {
  const { t } = usePageContext()
  const ms = answer.bill?.duration_ms ?? answer.duration_ms
  if (ms === undefined) return null
  return <span>{t('time.seconds', { value: (ms / MS).toFixed(1) })}</span>
}

const MILLION = 1_000_000

function RunningCost({ answer: { model, tokens } }: { answer: Answer }) {
  const { t, currency } = usePageContext()
  const { chosen } = usePlayground()
  const { input, output } = chosen.find(({ name }) => name === model) ?? {}
  if (input === undefined || output === undefined) return null
  const quota = Math.ceil(((tokens.input * input + tokens.output * output) / MILLION) * currency.quota_per_unit)
  return <span>{t('playground.cost_so_far', { cost: quotaText(quota, currency, 6) })}</span>
}
