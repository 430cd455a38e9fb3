/** Notices: messages of the system to users and operators. */
import './channels.ts'
import './low-balance.ts'

export { reportClosedChannels } from './closed-channels.ts'
export { sendWebhooks } from './delivery.ts'
export { sendWebhook } from './webhook.ts'
