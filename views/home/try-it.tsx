/** A visitor's own call: the prompt, the answer as it comes, and its receipt. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { TRY_IT_PROMPT_MAX, TRY_IT_RECEIPT_PATH } from '../../src/contracts/try-it.ts'
import { Bill } from '../logs/bill.tsx'
import type { LogEntryView } from '../logs/entry.ts'

export function TryIt({ model }: { model: string }) {
  const { t } = usePageContext()
  return (
    <tollgate-try-it model={model} class="try-it script-only">
      <form>
        <label className="sr-only" htmlFor="try-it-prompt">
          {t('home.try_prompt_label')}
        </label>
        <input
          id="try-it-prompt"
          name="prompt"
          className="input grow"
          maxLength={TRY_IT_PROMPT_MAX}
          placeholder={t('home.try_placeholder')}
          autoComplete="off"
          required
        />
        <button type="submit" className="btn">
          {t('home.try')}
        </button>
      </form>
      <p className="help">{t('home.try_help', { model })}</p>
      <div role="status" className="answer" />
      <div className="paper" />
    </tollgate-try-it>
  )
}

const TRIES_MAX = 10

/** Asks again until the usage log has the call. @param tries how often it was asked without finding it */
export function TryItReceipt({
  entry,
  request_id,
  tries,
}: {
  entry?: LogEntryView
  request_id: string
  tries: number
}) {
  const { t } = usePageContext()
  if (entry) return <Bill entry={entry} />
  if (tries >= TRIES_MAX) return <p className="help">{t('snippet.no_receipt')}</p>
  const again = `${TRY_IT_RECEIPT_PATH}/${request_id}?tries=${tries + 1}`
  return (
    <p className="help" hx-get={again} hx-trigger="load delay:1s" hx-swap="outerHTML">
      {t('snippet.waiting')}
    </p>
  )
}
