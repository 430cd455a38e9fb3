/** Test of a channel before it is saved: the button that sends the typed values, and the result. */
import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import CircleCheck from 'lucide/dist/esm/icons/circle-check.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { UnsavedTest } from '../../src/contracts/channel.ts'
import { priceOfAt } from './view.ts'

export interface TestResult extends UnsavedTest {
  /** Empty when the region decides it. */
  host: string
  /** The tested model has no price. */
  unpriced: boolean
}

/** Value of `action` in the form. */
export const TEST_ACTION = 'test'
/** Saves, and enables the channel. */
export const ENABLE_ACTION = 'enable'

const MS_PER_SECOND = 1000
const DECIMALS = 2

export function TestButton() {
  const { t } = usePageContext()
  return (
    <button type="submit" name="action" value={TEST_ACTION} className="btn">
      {t('drawer.test')}
    </button>
  )
}

/** @param isClosed the stored channel disabled itself: now that it answers it may be enabled */
export function TestOutcome({ result, isClosed }: { result: TestResult; isClosed: boolean }) {
  const { t } = usePageContext()
  const { ok, host, model, message, unpriced, tested, keys } = result
  const seconds = (Math.round((result.seconds * MS_PER_SECOND) / 10) / 100).toFixed(DECIMALS)
  const where = host || model
  return (
    <div className="test-result mt-5 grid gap-2" role="status" data-result>
      <p className={`note ${ok ? 'ok' : 'error'} m-0`}>
        <Icon of={ok ? CircleCheck : CircleAlert} small />
        <span className="wrap-anywhere">
          {ok
            ? t('drawer.test_passed', { model, seconds })
            : t('drawer.test_failed', { where, model, reason: message })}
          {keys > 1 && ` · ${t('drawer.test_keys', { tested, keys })}`}
        </span>
      </p>
      {ok && isClosed && (
        <p className="note m-0 items-center">
          <span className="flex-1">{t('drawer.still_closed')}</span>
          <button type="submit" name="action" value={ENABLE_ACTION} className="btn btn-sm btn-primary">
            {t('drawer.save_and_enable')}
          </button>
        </p>
      )}
      {ok && unpriced && (
        <p className="note warning m-0">
          <span>
            {t('drawer.test_unpriced', { model })}{' '}
            <a href={priceOfAt(model)} target="_blank" rel="noopener">
              {t('drawer.set_prices')}
            </a>
          </span>
        </p>
      )}
    </div>
  )
}
