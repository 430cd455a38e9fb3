/** Responses that are kept for clients who fetch them later. */
export {
  type BackgroundResponse,
  type BackgroundStatus,
  backgroundResponse,
  beginBackground,
  deleteBackground,
  endBackground,
  eventsAfter,
  keepEvents,
  pruneBackground,
} from './service.ts'
