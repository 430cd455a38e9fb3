/** Responses that are kept for clients who fetch them later. */
export { stopEndedElsewhere, whenEndedElsewhere } from './ended-elsewhere.ts'
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
  startBackground,
} from './service.ts'
