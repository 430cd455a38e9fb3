/** The vocabulary between formats. */
export { type Usage, usageOf } from '../pure/usage.ts'
