export { addToHour, hoursOf } from './service.ts'
