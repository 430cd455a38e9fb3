/** Public names of the providers. */
export type { ModelSettings } from '../formats/translate/model-settings.ts'
export { asOpenAi } from './as-openai.ts'
export { commonTypes } from './common-types.ts'
export { hostedTools } from './hosted.ts'
export { imageUrls, withInlineImages } from './image-urls.ts'
export { flawOfKey, flawOfKeys } from './key-shape.ts'
export { otherFlaw } from './other-field.ts'
export { pickApi, variantOf } from './pick-api.ts'
export {
  type ApiChoice,
  familyOf,
  isAvailable,
  joinKeys,
  keysIn,
  type Operation,
  type Provider,
  reachesMaker,
  type UpstreamApi,
  type UpstreamQuery,
} from './provider.ts'
export { rewriteBody } from './quirks.ts'
export { providerOf, providers } from './registry.ts'
export {
  buildRequest,
  draftRequest,
  type EncodedBody,
  encodeJson,
  sealRequest,
  type UpstreamCall,
  type UpstreamRequest,
} from './request.ts'
export { clientTools, searchingModels, serverToolFields, USES, useLimits } from './server-tools.ts'
export {
  type EarnedToken,
  type ProviderCredential,
  type SideRequest,
  type SideResponse,
  StepRefused,
  type Steps,
} from './steps.ts'
export {
  chargedBetas,
  chargedTools,
  containerTool,
  type TariffField,
  type TariffFields,
  tariffFields,
} from './tariff-fields.ts'
export type { UpstreamConfig } from './upstream-config.ts'
export { usualFormats } from './usual-formats.ts'
