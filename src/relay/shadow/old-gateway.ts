/** The old gateway as a channel: what calls could be sent to. */
import type { RoutedChannel } from '../../domain/routing/index.ts'
import { env } from '../../env.ts'
import { newApi } from '../../providers/another-gateway.ts'

export const oldGateway: RoutedChannel = {
  ...{ id: 0, name: 'shadow', type: newApi.type, status: 1, base_url: env.SHADOW_OF ?? '', guarded: false },
  ...{ keys: [''], good_keys: [''], models: [], groups: [], model_prefix: '', model_mapping: {}, setting: {} },
  ...{ status_code_mapping: {}, param_override: {}, system_prompt: '', openai_organization: '', other: '' },
  ...{ test_model: '', priority: 0, weight: 0, auto_ban: false, max_input_tokens: 0, other_info: '' },
}
