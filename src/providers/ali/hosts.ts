/**
 * DashScope's addresses. A base URL may end where one of its APIs begins.
 * https://help.aliyun.com/zh/model-studio/base-url (read 2026-11)
 */
import type { AddressPreset } from '../../contracts/provider-choice.ts'

export const ALI_BASE_URL = 'https://dashscope.aliyuncs.com'

/** A key belongs to one region; the coding plan has keys of its own. */
export const aliPresets: readonly AddressPreset[] = [
  { kind: 'mainland', base_url: ALI_BASE_URL },
  { kind: 'international', base_url: 'https://dashscope-intl.aliyuncs.com' },
  { kind: 'united_states', base_url: 'https://dashscope-us.aliyuncs.com' },
  { kind: 'hong_kong', base_url: 'https://cn-hongkong.dashscope.aliyuncs.com' },
  { kind: 'workspace', base_url: 'https://{WorkspaceId}.cn-beijing.maas.aliyuncs.com' },
  { kind: 'coding', base_url: 'https://coding.dashscope.aliyuncs.com' },
  { kind: 'coding_abroad', base_url: 'https://coding-intl.dashscope.aliyuncs.com' },
]

const apiRoot =
  /\/(?:(?:api\/v2\/apps\/protocols\/)?compatible-mode(?:\/v\d+)?|compatible-api(?:\/v\d+)?|apps\/anthropic(?:\/v\d+)?|api\/v\d+|v\d+)$/

/** Above all APIs. */
export const aliRoot = (base: string): string => base.replace(apiRoot, '')

const COMPATIBLE = '/compatible-mode/v1'
const ownVersion = /(?<!compatible-mode|compatible-api|anthropic|api)\/v\d+$/
const codingPlan = /^https:\/\/coding[\w-]*\.dashscope\.aliyuncs\.com$/

/** Above the APIs in OpenAI's form. The coding plan, and a base URL that ends in a version of its own, have no other. */
export function aliCompatibleRoot(base: string): string {
  if (ownVersion.test(base)) return base
  const root = aliRoot(base)
  return root + (codingPlan.test(root) ? '/v1' : COMPATIBLE)
}
