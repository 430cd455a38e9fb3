/** Duration of the last passed test of a channel, unless a later one has failed. */
import { Dot } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { responsePace } from '../../src/pure/severity.ts'
import { exact, seconds } from '../../src/pure/time.ts'
import { isTagRow, type ListRow } from './row.ts'
import { testFailureText } from './test-failure.ts'

export function LastTest({ row }: { row: ListRow }) {
  const { t, zone } = usePageContext()
  const time = row.response_time / 1000
  if (!isTagRow(row) && row.test_failure) {
    return (
      <span title={exact(row.test_time, zone)}>
        <Dot pace="bad">{testFailureText(row.test_failure, t)}</Dot>
      </span>
    )
  }
  return (
    <Dot pace={responsePace(time)}>{time ? t('time.seconds', { value: seconds(time) }) : t('channel.untested')}</Dot>
  )
}
