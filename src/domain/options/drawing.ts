/** Options of tasks: drawings, music, videos. */
import { flag, section, whole } from './declare.ts'

export const drawing = section({
  tab: 'operation',
  options: {
    DrawingEnabled: flag(true, { publicAs: 'enable_drawing' }),
    TaskEnabled: flag(true, { publicAs: 'enable_task' }),
    MjNotifyEnabled: flag(false, { publicAs: 'mj_notify_enabled' }),
    MjAccountFilterEnabled: flag(false),
    MjForwardUrlEnabled: flag(true),
    MjModeClearEnabled: flag(false),
    MjActionCheckSuccessEnabled: flag(true),
    DrawingTimeoutMinutes: whole(60, { min: 1 }),
    TaskTimeoutMinutes: whole(1440, { min: 1 }),
    TaskKeepResults: whole(0),
    TaskPriceRequired: flag(false),
    /** Requests, answers and results of older tasks are emptied; 0 keeps all. */
    TaskDataRetentionDays: whole(0, { max: 36_500 }),
    /** Older tasks are deleted; 0 keeps all. */
    TaskRetentionDays: whole(0, { max: 36_500 }),
  },
})
