/**
 * Tools that an upstream runs itself while it answers: what they find becomes part of a prompt that is billed. How much
 * that is depends on pages, files and servers that no request shows, so a call with one may cost the model's whole
 * context. Tools that the client runs are listed here, so that a new one of a provider counts as the provider's own.
 */
import type { FormatName } from '../../formats/canonical/chat.ts'

/** Beginnings of the types of tools that clients run, by format. Gemini's are names of fields. */
export const clientTools: Partial<Record<FormatName, RegExp>> = {
  'openai-chat': /^(?:function|custom)$/,
  // https://developers.openai.com/api/docs/guides/tools (read 2026-11)
  'openai-responses': /^(?:function|custom|namespace|tool_search|local_shell|apply_patch|computer)/,
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview (read 2026-11)
  anthropic: /^(?:custom|bash_|text_editor_|computer_|memory_|tool_search_)/,
  // https://ai.google.dev/api/caching#Tool (read 2026-11)
  gemini: /^(?:functionDeclarations|function_declarations|computerUse|computer_use)$/,
}

/** Fields of requests that start such tools. */
export const serverToolFields = [
  // https://platform.openai.com/docs/guides/tools-web-search (read 2026-11)
  'web_search_options',
  // https://docs.x.ai/docs/guides/live-search (read 2026-11)
  'search_parameters',
  // https://help.aliyun.com/zh/model-studio/web-search (read 2026-11)
  'enable_search',
  // https://cloud.baidu.com/doc/qianfan-docs/s/Jm8r1826a (read 2026-11)
  'web_search',
  // https://openrouter.ai/docs/guides/features/plugins/overview (read 2026-11)
  'plugins',
  // https://platform.claude.com/docs/en/agents-and-tools/mcp-connector (read 2026-11)
  'mcp_servers',
  // https://platform.claude.com/docs/en/build-with-claude/skills-guide (read 2026-11)
  'container',
] as const

/** Names of models that search without being asked to. */
export const searchingModels = /search-preview|search-api|deep-research|(?:^|\/)sonar|(?:^|\/)compound/

/** Fields by which a tool, or the request, limits how often a tool is used. */
export const useLimits = ['max_uses', 'max_tool_calls', 'max_search_results']

/** Uses of a tool that nothing limits. */
export const USES = 10
