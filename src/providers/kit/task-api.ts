/** How an upstream is asked for the states of tasks that it has accepted. */
import type { TaskPlatform, TaskState } from '../../contracts/task.ts'
import type { WrittenTask } from '../../formats/midjourney/write-task.ts'
import type { SideRequest } from './steps.ts'
import type { UpstreamConfig } from './upstream-config.ts'

export interface TaskApi {
  platform: TaskPlatform
  /** Ids that one request may ask for. */
  ids_max: number
  /** Asks for many at once; without an id it costs nothing and shows whether the key is valid. */
  ask(ids: readonly string[], config: UpstreamConfig): SideRequest
  /** @returns states by the upstream's id, those of unknown ids left out; undefined for what is no answer */
  readStates(body: unknown, ids: readonly string[]): Map<string, TaskState> | undefined
  /** Whether an error says that the upstream does not know the task; absent where many are asked for at once. */
  isUnknown?(status: number, body: unknown): boolean
  /** Reads a task that the upstream pushes; absent for one that pushes none. @returns undefined for what is no task */
  readPushed?(body: unknown): { id: string; state: TaskState } | undefined
  /** Writes a task as its caller's webhook is sent it. */
  writeTask?(task: WrittenTask, picture?: string): unknown
}
