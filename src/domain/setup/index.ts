/** Set-up at the first start. */
export { isSetUp, setUp, setupStatus } from './service.ts'
