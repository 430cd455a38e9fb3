/** Notices: messages of the system to users and operators. */
import './budgets.ts'
import './channels.ts'
import './low-balance.ts'

export { reportClosedChannels } from './closed-channels.ts'
export { sendWebhooks } from './delivery.ts'
export { reportStoppedBackup } from './stopped-backup.ts'
export { sendWebhook } from './webhook.ts'
