/** Options: settings in the database. */
export {
  catalog,
  isOptionKey,
  keysOf,
  type OptionKey,
  optionKeys,
  type SectionName,
  secretKeys,
  sectionNames,
  sectionsOf,
  tabOf,
} from './catalog.ts'
export { currency } from './currency.ts'
export { helpOf, labelOf } from './declare.ts'
export { checkUnchanged, type OptionDigests, optionDigest } from './digests.ts'
export { checkFallback } from './fallback-pricing.ts'
export { isOptionChangeUndoable, optionHistory, undoOption, undoOptionChanges } from './history.ts'
export {
  clearSecret,
  currentOptions,
  defaultText,
  draftOptions,
  isRegistrationOpen,
  isUnusable,
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
  setOptionsAsSystem,
  storedForm,
  unknownOptions,
  unusableText,
  writeOption,
} from './service.ts'
export { options } from './table.ts'
export { exportOptions, importOptions, reviewImport } from './transfer.ts'
export { fetchWorker } from './worker.ts'
