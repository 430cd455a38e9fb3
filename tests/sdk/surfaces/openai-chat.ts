/** OpenAI chat. https://platform.openai.com/docs/api-reference/chat/create (read 2026-11) */
import { type Surface, words } from './surface.ts'

const look = { name: 'look', parameters: { type: 'object' } }
const tools = [{ type: 'function', function: look }]

export const openAiChat: Surface = {
  field: {
    ...{ model: 'm', messages: [{ role: 'user', content: 'Hello' }] },
    ...{ frequency_penalty: 1, presence_penalty: 1, temperature: 0.5, top_p: 0.5, seed: 1, n: 2, stop: ['x'] },
    ...{ logit_bias: { 1: 1 }, logprobs: true, top_logprobs: 2, max_completion_tokens: 9, max_tokens: 9 },
    ...{ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' }, prediction: { type: 'content' } },
    ...{ reasoning_effort: 'low', verbosity: 'low', response_format: { type: 'json_object' } },
    ...{
      stream: true,
      stream_options: { include_usage: true },
      tools,
      tool_choice: 'none',
      parallel_tool_calls: false,
    },
    ...{ functions: [look], function_call: 'none', web_search_options: {}, moderation: {}, store: true },
    ...{ metadata: { a: 'b' }, user: 'u', safety_identifier: 'u', service_tier: 'priority' },
    ...{ prompt_cache_key: 'k', prompt_cache_options: {}, prompt_cache_retention: '24h' },
  },
  beside: {
    tool_choice: { tools },
    parallel_tool_calls: { tools },
    function_call: { functions: [look] },
    top_logprobs: { logprobs: true },
    stream_options: { stream: true },
  },
  tool: { function: tools[0]!, custom: { type: 'custom', custom: { name: 'patch' } } },
  block: {
    translated: words('system developer user assistant tool function text refusal image_url input_audio file'),
    dropped: [],
    refused: [],
  },
  event: {
    translated: words(`choices created id model object service_tier usage delta.role delta.content delta.tool_calls
      delta.function_call delta.refusal delta.audio`),
    dropped: words('system_fingerprint obfuscation moderation'),
  },
}
