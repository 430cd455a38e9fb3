/** Options: settings in the database. */
export { type OptionKey, optionKeys } from './catalog.ts'
export { currency } from './currency.ts'
export { checkFallback } from './fallback-pricing.ts'
export { optionHistory, resetOption, undoOption } from './history.ts'
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
export { exportOptions, importOptions, reviewImport } from './transfer.ts'
export { fetchWorker } from './worker.ts'
