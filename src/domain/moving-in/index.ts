/** Moving in from new-api, one-api and Veloera. */
export { CannotMove } from './cannot-move.ts'
export { decimal, json, text, whole } from './row.ts'
export { moveIn } from './service.ts'
export {
  beginUpload,
  checkNoImport,
  checkUpload,
  discardUpload,
  mayUpload,
  startMove,
  type Upload,
  type UploadFile,
  uploadOf,
} from './upload.ts'
