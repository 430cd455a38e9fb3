/** The text of docs/tasks.md: its prose stands there, its last tables are printed. */
import { taskTable, videoTable } from './providers.ts'

const MARK = '<!-- From here on printed by `npm run docs`. -->'

/** @param written the document as it is */
export const tasksDocument = (written: string): string => {
  const prose = written.slice(0, written.indexOf(MARK))
  const videos =
    'A request for a video may say this, by model; the first that matches counts. Anything else is refused before it is charged. What stands first is usual: it is sent and priced where a request leaves it open.'
  return `${prose}${[MARK, taskTable(), videos, videoTable()].join('\n\n')}\n`
}
