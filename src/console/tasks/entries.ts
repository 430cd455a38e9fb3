/** Rows of tasks with the names that belong to them: on the wire of the API. Users see no channels. */
import type { DrawingEntry, TaskEntry } from '../../contracts/task-list.ts'
import { channelNames } from '../../domain/channels/index.ts'
import { option } from '../../domain/options/index.ts'
import { type ListedTask, pictureAddressOf } from '../../domain/tasks/index.ts'
import { userNames } from '../../domain/users/index.ts'
import { codeIn, drawingIn, promptIn, stateIn, videoUrlIn } from './results.ts'

export interface NamedTask {
  task: ListedTask
  username: string
  channel_name: string
}

/** @param whole with what administrators alone see */
export async function named(tasks: ListedTask[], whole: boolean): Promise<NamedTask[]> {
  if (!whole) return tasks.map(task => ({ task: { ...task, channel_id: 0 }, username: '', channel_name: '' }))
  const [channels, users] = await Promise.all([
    channelNames([...new Set(tasks.map(({ channel_id }) => channel_id))]),
    userNames([...new Set(tasks.map(({ user_id }) => user_id))]),
  ])
  const nameIn = (list: { id: number; name: string }[]) => {
    const byId = new Map(list.map(({ id, name }) => [id, name]))
    return (id: number) => byId.get(id) ?? ''
  }
  const [channelName, userName] = [nameIn(channels), nameIn(users)]
  return tasks.map(task => ({
    task,
    username: userName(task.user_id),
    channel_name: channelName(task.channel_id),
  }))
}

/** @param site address of this site, where the operator has set none */
export function drawingOf({ task, username }: NamedTask, site: string): DrawingEntry {
  const told = drawingIn(task.result)
  const prompt = told.prompt || promptIn(task.input)
  return {
    ...sharedOf(task, username),
    ...{ mj_id: task.upstream_id, code: codeIn(task.answer), prompt, prompt_en: told.promptEn },
    ...{ description: told.description, state: stateIn(task.input), created_at: task.submit_ms },
    ...{ submit_time: task.submit_ms, start_time: task.start_ms, finish_time: task.finish_ms },
    image_url: told.imageUrl && option('MjForwardUrlEnabled') ? pictureAddressOf(task, site) : told.imageUrl,
    video_url: videoUrlIn(told),
    buttons: JSON.stringify(told.buttons),
    properties: JSON.stringify(told.properties),
  }
}

export function taskOf({ task, username }: NamedTask): TaskEntry {
  const { task_id, platform, submit_ms, start_ms, finish_ms } = task
  return {
    ...sharedOf(task, username),
    ...{ task_id, platform, created_at: secondsOf(submit_ms) },
    updated_at: secondsOf(Math.max(submit_ms, start_ms, finish_ms)),
    ...{ submit_time: secondsOf(submit_ms), start_time: secondsOf(start_ms), finish_time: secondsOf(finish_ms) },
    properties: { input: promptIn(task.input) },
    data: task.result ?? null,
  }
}

const sharedOf = (
  { id, user_id, action, channel_id, charged, refunded, status, progress, fail_reason }: ListedTask,
  username: string,
) => ({
  ...{ id, user_id, username, action, channel_id, quota: charged, refunded, status },
  ...{ progress: `${progress}%`, fail_reason },
})

const secondsOf = (ms: number) => Math.floor(ms / 1000)
