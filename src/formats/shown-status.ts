/** States of tasks in the words of makers, none of which copies files. */
import type { TaskStatus } from '../contracts/task.ts'

export const shownStatus = (status: TaskStatus) => (status === 'SAVING' ? 'IN_PROGRESS' : status)
