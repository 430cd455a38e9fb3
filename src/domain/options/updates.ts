/** Options of the check for updates. */
import { section, url } from './declare.ts'

export const updates = section({
  tab: 'other',
  options: { UpdateCheckAddress: url({ root: true }) },
})
