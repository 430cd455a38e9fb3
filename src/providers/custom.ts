/**
 * A URL of the operator's own, used for every operation; `{model}` in it stands for the model. Its bodies are OpenAI's:
 * https://platform.openai.com/docs/api-reference (read 2026-11)
 */
import { modelsOf } from '../models/models.ts'
import { openAiBalance } from './kit/openai-balance.ts'
import { openAiCompatible, operations, standardApis } from './kit/openai-compatible.ts'
import { idsIn } from './kit/upstream-query.ts'

const CHAT_PATH = /\/chat\/completions$/

export const custom = openAiCompatible({
  type: 8,
  label: 'Custom',
  models: modelsOf(1),
  stream_usage: 'wanted',
  quirks: { verbatim_url: true, probe: { model: 'gpt-4o-mini' } },
  developer_role: true,
  url: (_base, _path, model, { base_url }) => base_url.replaceAll('{model}', encodeURI(model)),
  apis: standardApis(...operations.filter(operation => operation !== 'responses')),
  *listModels({ base_url }) {
    return CHAT_PATH.test(base_url) ? idsIn(yield base_url.replace(CHAT_PATH, '/models')) : undefined
  },
  balance: openAiBalance(''),
})
