/** The chosen reason of failures in the forms of the filters: the other filters leave it as it is. */
import type { LogsView } from './view.ts'

export const KeepStatus = ({ status_code }: LogsView) =>
  status_code !== undefined && <input type="hidden" name="status_code" value={status_code} />
