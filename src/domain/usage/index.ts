/** Hourly usage and its totals. */
export { addToHour, hoursOf } from './service.ts'
export { statOf } from './stat.ts'
