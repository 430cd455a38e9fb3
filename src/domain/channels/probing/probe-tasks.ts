/** Probes a channel of tasks with one of its keys: it is asked for the states of none, which costs nothing. */
import { askStates, isFatal, type RoutedChannel, tasksApiOf } from '../../routing/index.ts'
import { failureOfThrown, type ProbeFailure } from './probe-failure.ts'

const unknownTask = new Set([400, 404, 422])

export async function probeTasks(channel: RoutedChannel, key: string): Promise<ProbeFailure | undefined> {
  const api = tasksApiOf(channel)!
  const { format, task } = api
  try {
    const { status, body } = await askStates(channel, api, key, [])
    const error = format.readError(body, status)
    const fatal = error !== undefined && isFatal({ status, error }, channel, {})
    // One task is asked for that does not exist: an upstream that says so has accepted the key.
    if (task.isUnknown && !fatal && (unknownTask.has(status) || task.isUnknown(status, body))) return undefined
    if (error) return { code: 'refused', status, message: error.message, fatal }
    return task.readStates(body, []) ? undefined : { code: 'unreadable' }
  } catch (error) {
    return failureOfThrown(error, channel, {})
  }
}
