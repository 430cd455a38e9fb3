/** A duration in seconds with two significant digits, such as `0.42 s`. */
import { usePageContext } from './page-context.tsx'

const MS_PER_SECOND = 1000
const DIGITS = 2

export function Seconds({ ms }: { ms: number }) {
  const { t } = usePageContext()
  const seconds = ms / MS_PER_SECOND
  return t('ui.seconds', { seconds: seconds < 10 ? seconds.toPrecision(DIGITS) : String(Math.round(seconds)) })
}
