/** Options: settings in the database. */
export { type OptionKey, secretKeys } from './catalog.ts'
export { currency } from './currency.ts'
export { checkFallback } from './fallback-pricing.ts'
export {
  currentOptions,
  draftOptions,
  isRegistrationOpen,
  listOptions,
  loadOptions,
  type OptionState,
  onOptionChange,
  onOptionCommit,
  option,
  publicStatus,
  resetModelRatio,
  setOption,
  setOptionAsSystem,
  setOptions,
  writeOption,
} from './service.ts'
export { options } from './table.ts'
export { fetchWorker } from './worker.ts'
