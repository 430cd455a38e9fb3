export { isSetUp, setUp, setupStatus } from './service.ts'
