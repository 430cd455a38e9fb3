/** Public names of the providers. */

export { endingOf } from '../formats/media/file-names.ts'
export type { ModelSettings } from '../formats/translate/model-settings.ts'
export { commonTypes } from './common-types.ts'
export { asOpenAi } from './kit/as-openai.ts'
export { dataIn, FILE_BYTES_MAX, typeOfFile } from './kit/file-content.ts'
export { hostedTools } from './kit/hosted.ts'
export { imageUrls, withInlineImages } from './kit/image-urls.ts'
export { flawOfKey, flawOfKeys } from './kit/key-shape.ts'
export { otherFlaw } from './kit/other-field.ts'
export { pickApi, variantOf } from './kit/pick-api.ts'
export {
  type ApiChoice,
  familyOf,
  isAvailable,
  joinKeys,
  keysIn,
  type Operation,
  type PassedApi,
  type Provider,
  passedApi,
  reachesMaker,
  type TaskOperation,
  type UpstreamApi,
  type UpstreamQuery,
} from './kit/provider.ts'
export { rewriteBody } from './kit/quirks.ts'
export {
  buildRequest,
  draftRequest,
  type EncodedBody,
  encodeJson,
  sealRequest,
  type UpstreamCall,
  type UpstreamRequest,
} from './kit/request.ts'
export { clientTools, searchingModels, serverToolFields, USES, useLimits } from './kit/server-tools.ts'
export {
  type EarnedToken,
  type ProviderCredential,
  type SideRequest,
  type SideResponse,
  StepRefused,
  type Steps,
} from './kit/steps.ts'
export {
  chargedBetas,
  chargedTools,
  containerTool,
  type TariffField,
  type TariffFields,
  tariffFields,
} from './kit/tariff-fields.ts'
export type { TaskApi } from './kit/task-api.ts'
export { taskFiles } from './kit/task-files.ts'
export type { UpstreamConfig } from './kit/upstream-config.ts'
export {
  type FileLocation,
  type FileSource,
  type FileVariant,
  usualLocation,
  type VideoUpstream,
} from './kit/video-api.ts'
export { imageSeed } from './midjourney.ts'
export { providerOf, providers } from './registry.ts'
export { usualFormats } from './usual-formats.ts'
