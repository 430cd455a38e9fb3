/** Moving in from new-api, one-api and Veloera. */
export { decimal, json, text, whole } from './row.ts'
export { moveIn } from './service.ts'
