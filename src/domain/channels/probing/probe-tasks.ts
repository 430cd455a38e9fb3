/** Probes a channel of tasks with one of its keys: it is asked for the states of none, which costs nothing. */
import { askStates, isFatal, type RoutedChannel, tasksApiOf } from '../../routing/index.ts'
import { failureOfThrown, type ProbeFailure } from './probe-failure.ts'

export async function probeTasks(channel: RoutedChannel, key: string): Promise<ProbeFailure | undefined> {
  const { format, task } = tasksApiOf(channel)!
  try {
    const { status, body } = await askStates(channel, key, [])
    const error = format.readError(body, status)
    if (error)
      return { code: 'refused', status, message: error.message, fatal: isFatal({ status, error }, channel, {}) }
    return task.readStates(body) ? undefined : { code: 'unreadable' }
  } catch (error) {
    return failureOfThrown(error, channel, {})
  }
}
