/** Words for the failure of a channel's last test. */
import { isMessageKey, type Translate } from '../../src/locales/index.ts'

/** @param failure a status, or a code of `ProbeFailure` */
export function testFailureText(failure: string, t: Translate): string {
  const key = `channel.failed_${failure}`
  return isMessageKey(key) ? t(key) : t('channel.failed_status', { status: failure })
}
