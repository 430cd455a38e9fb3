/** The playground: paths, what the page is given, what an answer cost. */
import type { TaskStatus } from './task.ts'

export const PLAYGROUND_PATH = '/playground'

/** OpenAI chat completions for the signed-in user, in a group of the body. */
export const PLAYGROUND_CALL_PATH = '/pg/chat/completions'

export const PLAYGROUND_MODELS_PATH = '/api/playground/models'
export const PLAYGROUND_RECEIPT_PATH = '/api/playground/receipt'

/** The browser's database of a user's conversations; the user's id follows. */
export const PLAYGROUND_DATABASE = 'tollgate-playground-'

export const PLAYGROUND_MODEL_DEFAULT = 'gpt-4o-mini'

export interface PlaygroundGroup {
  name: string
  desc: string
  ratio: number
}

/** Where the playground submits a task of each kind; below `MADE_PATH` stands its id. */
export const MADE_PATH = '/pg/tasks'
export const MADE_KINDS = ['pictures', 'drawings', 'music', 'videos'] as const
export type MadeKind = (typeof MADE_KINDS)[number]

/** Models of tasks, by group and kind. */
export type MadeModels = Record<string, Record<MadeKind, string[]>>

/** Tab of the playground that makes pictures, songs and videos. */
export const MAKE_PATH = `${PLAYGROUND_PATH}/make`

export interface MadeFile {
  kind: 'image' | 'audio' | 'video'
  url: string
}

/** A task as the playground shows it. */
export interface MadeTask {
  id: string
  status: TaskStatus
  /** Percent. */
  progress: number
  fail_reason: string
  /** Quota. */
  charged: number
  refunded: number
  files: MadeFile[]
  /** Of lyrics; else empty. */
  text: string
}
