/** Moving in from new-api, one-api and Veloera. */
export { moveIn } from './service.ts'
