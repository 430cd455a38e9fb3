/** States, actions and reasons of tasks in words. */
import type { StateTone } from '../../client/components/badge.tsx'
import { FAILED_BY_ADMINISTRATOR, type TaskStatus } from '../../src/contracts/task.ts'
import type { TaskLog } from '../../src/contracts/task-list.ts'
import type { MessageKey, Translate } from '../../src/locales/index.ts'

const states: Record<TaskStatus, { word: MessageKey; tone: StateTone }> = {
  NOT_START: { word: 'task.state_not_start', tone: 'limited' },
  SUBMITTED: { word: 'task.state_submitted', tone: 'limited' },
  QUEUED: { word: 'task.state_queued', tone: 'limited' },
  MODAL: { word: 'task.state_modal', tone: 'limited' },
  IN_PROGRESS: { word: 'task.state_in_progress', tone: 'limited' },
  UNKNOWN: { word: 'task.state_unknown', tone: 'limited' },
  SAVING: { word: 'task.state_saving', tone: 'limited' },
  SUCCESS: { word: 'task.state_success', tone: 'open' },
  FAILURE: { word: 'task.state_failure', tone: 'stopped' },
}

export const stateOf = (status: TaskStatus) => states[status]

/** By the name that the platform has for it, in the order of the filter. */
const actions: Record<TaskLog, Record<string, MessageKey>> = {
  drawing: {
    IMAGINE: 'task.action_imagine',
    UPSCALE: 'task.action_upscale',
    VARIATION: 'task.action_variation',
    HIGH_VARIATION: 'task.action_high_variation',
    LOW_VARIATION: 'task.action_low_variation',
    REROLL: 'task.action_reroll',
    PAN: 'task.action_pan',
    ZOOM: 'task.action_zoom',
    CUSTOM_ZOOM: 'task.action_custom_zoom',
    INPAINT: 'task.action_inpaint',
    MODAL: 'task.action_modal',
    BLEND: 'task.action_blend',
    DESCRIBE: 'task.action_describe',
    SHORTEN: 'task.action_shorten',
    EDITS: 'task.action_edits',
    VIDEO: 'task.action_video',
    SWAP_FACE: 'task.action_swap_face',
    UPLOAD: 'task.action_upload',
  },
  tasks: {
    MUSIC: 'task.action_music',
    LYRICS: 'task.action_lyrics',
    text_to_video: 'task.action_text_to_video',
    image_to_video: 'task.action_image_to_video',
    video_to_video: 'task.action_video_to_video',
    remix: 'task.action_remix',
    generate: 'task.action_generate',
  },
}

const words: Record<string, MessageKey> = { ...actions.drawing, ...actions.tasks }

/** An action without a word has its name. */
export function actionText(action: string, t: Translate): string {
  const word = Object.hasOwn(words, action) ? words[action] : undefined
  return word ? t(word) : action
}

/** The first means any. */
export const actionOptions = (log: TaskLog, t: Translate) => [
  { value: '', label: t('task.any_action') },
  ...Object.entries(actions[log]).map(([value, word]) => ({ value, label: t(word) })),
]

/** Reasons of this site; upstreams have their own words. */
const reasons: Record<string, MessageKey> = {
  timeout: 'task.reason_timeout',
  'outcome unknown': 'task.reason_unknown',
  'finished without a result': 'task.reason_empty',
  'cancelled at the upstream': 'task.reason_cancelled',
  'the upstream names no reason': 'task.reason_none',
  'the upstream does not know the task any more': 'task.reason_missing',
  'the channel of the task, or its key, is gone': 'task.reason_channel',
  [FAILED_BY_ADMINISTRATOR]: 'task.reason_administrator',
}

export function reasonText(reason: string, t: Translate): string {
  const word = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
  return word ? t(word) : reason
}
