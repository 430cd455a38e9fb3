/** Anthropic Messages with its betas. https://platform.claude.com/docs/en/api/messages (read 2026-11) */
import { each, type Surface, words } from './surface.ts'

const tools = [{ name: 'look', input_schema: { type: 'object' } }]
const output_format = { type: 'json_schema', schema: { type: 'object', properties: {} } }

export const anthropic: Surface = {
  field: {
    ...{ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }], system: 'x' },
    ...{ temperature: 0.5, top_p: 0.5, top_k: 5, stop_sequences: ['x'], stream: true },
    ...{ tools, tool_choice: { type: 'none' }, thinking: { type: 'adaptive' }, metadata: { user_id: 'u' } },
    ...{ output_config: { format: output_format }, output_format, cache_control: { type: 'ephemeral' } },
    ...{ service_tier: 'auto', speed: 'fast', inference_geo: 'us', fallbacks: [{ model: 'm' }] },
    ...{ billing_policy: { type: 'billing_policy', bill_to: 'self' }, fallback_credit_token: 't' },
    ...{ container: 'c', mcp_servers: [{ type: 'url', url: 'https://a.example', name: 'a' }] },
    ...{ context_management: { edits: [] }, compaction: {}, diagnostics: {}, thread: { type: 'create' } },
  },
  beside: { tool_choice: { tools } },
  beta: words(`admin-user-sign-out-2026-10-08 advisor-tool-2026-03-01 agent-memory-2026-07-22
    analytics-usage-cost-2026-08-24 cache-diagnosis-2026-04-07 ce-claude-code-managed-settings-2026-10-06
    ce-plugins-2026-09-01 ce-user-management-2026-07-13 code-execution-2025-05-22 compact-2026-01-12
    compact-2026-09-04 computer-use-2024-10-22 computer-use-2025-01-24 computer-use-2025-11-24 context-1m-2025-08-07
    context-management-2025-06-27 dev-full-thinking-2025-05-14 dreaming-2026-04-21 experimental-claude-tag-2026-10-21
    extended-cache-ttl-2025-04-11 fallback-credit-2026-06-01 fallback-credit-2026-07-01 fast-mode-2026-02-01
    files-api-2025-04-14 inline-tools-2026-09-15 interleaved-thinking-2025-05-14 managed-agents-2026-04-01
    mcp-client-2025-04-04 mcp-client-2025-11-20 mcp-client-2026-09-15 mcp-tunnels-2026-06-22
    message-batches-2024-09-24 message-threads-2026-08-12 mid-conversation-output-config-2026-07-01
    mid-conversation-system-clear-at-2026-08-21 mid-conversation-tool-changes-2026-07-01
    model-context-window-exceeded-2025-08-26 output-128k-2025-02-19 output-300k-2026-03-24 pdfs-2024-09-25
    prompt-caching-2024-07-31 server-side-fallback-2026-06-01 server-side-fallback-2026-07-01 skills-2025-10-02
    spend-limit-reads-2026-09-26 structured-outputs-2025-11-13 task-budgets-2026-03-13
    telemetry-destinations-2026-08-11 thinking-binding-controls-2026-08-01 thinking-display-updates-2026-08-18
    thinking-token-count-2026-05-13 token-counting-2024-11-01 token-efficient-tools-2025-02-19
    user-profiles-2026-03-24 user-profiles-2026-08-18 user-profiles-2026-09-04 user-profiles-billing-2026-10-01
    webhooks-2026-10-07`),
  tool: {
    ...each(
      `advisor_20260301 bash_20241022 bash_20250124 browser_toolset_20260801 code_execution_20250522
      code_execution_20250825 code_execution_20260120 code_execution_20260521 computer_20241022 computer_20250124
      computer_20251124 computer_toolset_20260801 memory_20250818 text_editor_20241022 text_editor_20250124
      text_editor_20250429 text_editor_20250728 tool_search_tool_bm25 tool_search_tool_bm25_20251119
      tool_search_tool_regex tool_search_tool_regex_20251119 web_fetch_20250910 web_fetch_20260209 web_fetch_20260309
      web_fetch_20260318 web_search_20250305 web_search_20260209 web_search_20260318`,
      type => ({ type, name: type.replace(/_\d{8}$/, '') }),
    ),
    custom: { type: 'custom', ...tools[0] },
    mcp_toolset: { type: 'mcp_toolset', mcp_server_name: 'a' },
  },
  block: {
    translated: words('text image document tool_use tool_result thinking redacted_thinking tool_addition tool_removal'),
    dropped: words(`server_tool_use advisor_tool_result bash_code_execution_tool_result code_execution_tool_result
      compaction container_upload fallback mcp_tool_listing mcp_tool_result mcp_tool_use search_result
      text_editor_code_execution_tool_result tool_search_tool_result web_fetch_tool_result web_search_tool_result`),
    refused: [],
  },
  event: {
    translated: words(`message_start message_delta message_stop content_block_start content_block_delta
      content_block_stop text_delta thinking_delta signature_delta input_json_delta citations_delta
      block.text block.thinking block.redacted_thinking block.tool_use`),
    dropped: words(`compaction_delta block.advisor_tool_result block.bash_code_execution_tool_result
      block.code_execution_tool_result block.compaction block.container_upload block.fallback block.mcp_tool_listing
      block.mcp_tool_result block.mcp_tool_use block.server_tool_use block.text_editor_code_execution_tool_result
      block.tool_search_tool_result block.web_fetch_tool_result block.web_search_tool_result`),
  },
}
