/** Notices to root: a channel was closed or reopened, a test run is over. */
import { CHANNELS_PATH, ChannelStatus } from '../../contracts/channel.ts'
import { testRunEnded } from '../channels/index.ts'
import { statusChanged } from '../routing/index.ts'
import { rootUser } from '../users/index.ts'
import { inBackground } from './background.ts'
import { notify, type UserNotice } from './notify.ts'

statusChanged.listen(({ id, name, status, reason }) => {
  const kind = status === ChannelStatus.enabled ? 'channel_reopened' : 'channel_closed'
  notifyRoot({ type: `channel_update_${id}_${status}`, kind, params: { name, id, reason }, path: CHANNELS_PATH })
})

testRunEnded.listen(({ tested, failed }) => {
  notifyRoot({ type: 'channel_test', kind: 'channel_tests', params: { tested, failed }, path: CHANNELS_PATH })
})

function notifyRoot(notice: UserNotice) {
  inBackground(notice.type, async () => {
    const root = await rootUser()
    if (root) await notify(root, notice)
  })
}
