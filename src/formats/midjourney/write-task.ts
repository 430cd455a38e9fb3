/** Writes a task as Midjourney Proxy's clients read it. */
import type { TaskStatus } from '../../contracts/task.ts'
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { shownStatus } from '../shown-status.ts'
import type { MidjourneyAction, MidjourneyTask } from './wire.ts'

export interface WrittenTask {
  upstream_id: string
  action: string
  status: TaskStatus
  fail_reason: string
  /** Percent. */
  progress: number
  submit_ms: number
  start_ms: number
  finish_ms: number
  /** The request. */
  input: Json
  /** The upstream's answer to it. */
  answer: unknown
  /** What the upstream tells of the task. */
  result: unknown
}

/** @param imageUrl shown in place of the upstream's own */
export function midjourneyTask(task: WrittenTask, imageUrl?: string): MidjourneyTask {
  const told = objectOf<MidjourneyTask>(task.result)
  const { input } = task
  return {
    id: task.upstream_id,
    action: task.action as MidjourneyAction,
    customId: textOf(input.customId),
    botType: textOf(told.botType) || textOf(input.botType),
    prompt: textOf(told.prompt) || textOf(input.prompt),
    promptEn: textOf(told.promptEn),
    description: textOf(told.description) || textOf(objectOf(task.answer).description),
    state: textOf(input.state),
    submitTime: task.submit_ms,
    startTime: task.start_ms,
    finishTime: task.finish_ms,
    imageUrl: imageUrl ?? textOf(told.imageUrl),
    videoUrl: textOf(told.videoUrl),
    videoUrls: objectsOf<{ url: string }>(told.videoUrls).map(({ url }) => ({ url: textOf(url) })),
    status: shownStatus(task.status),
    progress: `${task.progress}%`,
    failReason: task.fail_reason,
    buttons: objectsOf(told.buttons) as Json[],
    maskBase64: '',
    properties: isObject(told.properties) ? told.properties : {},
  }
}
