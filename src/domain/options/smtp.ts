/** Options of the mail server. */
import { flag, line, secret, section, whole } from './declare.ts'

const SUBMISSION_PORT = 587
const PORT_MAX = 65535

export const smtp = section({
  tab: 'system',
  root: true,
  options: {
    SMTPServer: line(),
    SMTPPort: whole(SUBMISSION_PORT, { min: 1, max: PORT_MAX }),
    SMTPAccount: line(),
    SMTPFrom: line(),
    SMTPToken: secret(),
    SMTPSSLEnabled: flag(false),
  },
})
