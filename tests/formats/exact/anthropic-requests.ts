/** Requests of Anthropic that have every field the gateway reads. */
import type { ExactBodies } from './bodies.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const image = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
const cited = (place: object) => ({ type: 'web_search_result_location', cited_text: 'Q', ...place })

export const anthropicRequests: ExactBodies['requests'] = {
  settings: {
    ...{ model: 'm', max_tokens: 4000, stream: true, temperature: 0.5, top_p: 0.9, top_k: 40, stop_sequences: ['END'] },
    ...{
      thinking: { type: 'enabled', budget_tokens: 2048, display: 'omitted' },
      container: 'c1',
      service_tier: 'auto',
    },
    ...{ metadata: { user_id: 'ann', conversation_id: 'conv_1' } },
    ...{ tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true } },
    output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } }, task_budget: 5 },
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: a\nBe brief.', ...hour },
      { type: 'text', text: 'x-anthropic-billing-header: b', ...mark },
      { type: 'text', text: 'Be kind.', ...mark },
    ],
    tools: [
      { name: 'f', description: 'F', input_schema: { type: 'object' }, strict: true, ...mark },
      { type: 'custom', name: 'late', input_schema: { type: 'object' }, defer_loading: true },
      {
        ...{ type: 'web_search_20250305', name: 'web_search', allowed_domains: ['example.com'] },
        user_location: { type: 'approximate', city: 'Rome', country: 'IT', region: 'RM', timezone: 'CET' },
      },
      { type: 'code_execution_20250522', name: 'code_execution' },
      { type: 'bash_20250124', name: 'bash' },
    ],
    messages: [{ role: 'user', content: 'Hi' }],
  },
  conversation: {
    ...{
      model: 'm',
      max_tokens: 10,
      system: 'Be brief.',
      thinking: { type: 'adaptive' },
      tool_choice: { type: 'any' },
    },
    tools: [
      { name: 'f', input_schema: { type: 'object' }, defer_loading: true },
      { name: 'g', input_schema: { type: 'object' } },
      { name: 'late', input_schema: { type: 'object' }, defer_loading: true },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'A', ...mark },
          { type: 'image', source: image, ...hour },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'image', source: { type: 'file', file_id: 'file_1' } },
          {
            ...{ type: 'document', title: 'T', context: 'C', citations: { enabled: true }, ...mark },
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
          },
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'words' },
            citations: { enabled: false },
          },
          { type: 'document', title: 'N', source: { type: 'content', content: [{ type: 'text', text: 'inner' }] } },
          {
            type: 'search_result',
            title: 'R',
            source: 'https://example.com',
            content: [{ type: 'text', text: 'found' }],
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'xyz' },
          { type: 'text', text: 'B', citations: [cited({ url: 'https://example.com', title: 'T' })] },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 }, ...mark },
          { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            ...{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, ...hour },
            content: [
              { type: 'text', text: 'R' },
              { type: 'image', source: image },
              { type: 'tool_reference', tool_name: 'late' },
              {
                type: 'search_result',
                title: 'R',
                source: 'https://example.com',
                content: [{ type: 'text', text: 'found' }],
              },
            ],
          },
          { type: 'tool_result', tool_use_id: 'toolu_2' },
          { type: 'tool_result', tool_use_id: 'toolu_3', content: 'plain' },
        ],
      },
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Later' },
          {
            type: 'tool_addition',
            tool: { type: 'inline', definition: { name: 'new', input_schema: { type: 'object' } } },
          },
          { type: 'tool_removal', tool: { type: 'tool_reference', name: 'g' } },
        ],
      },
    ],
  },
  portable: {
    ...{
      model: 'm',
      max_tokens: 9000,
      thinking: { type: 'enabled', budget_tokens: 2048 },
      metadata: { user_id: 'ann' },
    },
    ...{
      system: [{ type: 'text', text: 'Be brief.', ...hour }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    },
    ...{ output_config: { effort: 'high' } },
    tools: [
      { name: 'f', description: 'F', input_schema: { type: 'object', properties: { a: { type: 'string' } } }, ...mark },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'A', ...mark },
          {
            type: 'document',
            title: 'T',
            context: 'C',
            source: { type: 'text', media_type: 'text/plain', data: 'words' },
            citations: { enabled: false },
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
          { type: 'text', text: 'B', citations: [cited({ url: 'https://example.com', title: 'T' })] },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            is_error: true,
            content: [
              { type: 'text', text: 'R' },
              { type: 'image', source: image },
            ],
          },
        ],
      },
    ],
  },
  signed: {
    ...{ model: 'm', max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 2048 } },
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'xyz' },
          // Of OpenAI, of Gemini and of Bedrock, as they are wrapped for clients.
          { type: 'thinking', thinking: 'O', signature: 'dG9sbGdhdGU6b3BlbmFpOmMybG4=' },
          { type: 'thinking', thinking: 'G', signature: 'dG9sbGdhdGU6Z2VtaW5pOmMybG4=' },
          { type: 'redacted_thinking', data: 'dG9sbGdhdGU6YmVkcm9jayE6YzJsbg==' },
          { type: 'text', text: 'B' },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'R' },
          { type: 'text', text: 'C' },
        ],
      },
    ],
  },
  off: {
    ...{
      model: 'm',
      max_tokens: 10,
      thinking: { type: 'disabled' },
      tool_choice: { type: 'none' },
      output_config: { effort: 'low' },
    },
    ...{
      tools: [
        { type: 'tool_search_tool_regex_20251119', name: 's' },
        { name: 'd', defer_loading: true },
      ],
    },
    messages: [
      { role: 'user', content: '' },
      { role: 'assistant', content: 'B' },
    ],
  },
  effort: {
    ...{
      model: 'm',
      max_tokens: 10,
      output_config: { effort: 'low' },
      tool_choice: { type: 'auto', disable_parallel_tool_use: false },
    },
    messages: [{ role: 'user', content: 'Hi' }],
  },
}
