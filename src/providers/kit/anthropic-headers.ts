/**
 * Headers of Anthropic's clients for Claude in another company's cloud, which reads the version from the body and
 * refuses a request with a beta that it does not know: "invalid beta flag".
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html,
 * https://github.com/anthropics/anthropic-sdk-typescript, https://github.com/anthropics/claude-code/issues/30926 and
 * https://github.com/vercel/ai/issues/10981 (read 2026-11)
 */
import { joinHeaders } from '../../pure/headers.ts'

/** https://docs.anthropic.com/en/api/versioning (read 2026-11) */
export const ANTHROPIC_VERSION = '2023-06-01'

interface CloudHeaders {
  /** Absent for the first version, which each cloud has a name of its own for. */
  version?: string
  betas: string[]
  others: Record<string, string>
}

/** The betas of the clouds, without their dates. Clients of Anthropic's own service send many more. */
const cloudBetas =
  /^(?:interleaved-thinking|dev-full-thinking|effort|context-1m|context-management|compact|output-128k|tool-search-tool|tool-examples|token-efficient-tools|fine-grained-tool-streaming|computer-use|web-search)-\d/

/** Names of Anthropic's own service for what the clouds name otherwise: the search for tools is a part of the first. */
const renamed: Record<string, string> = { 'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19' }

/** @param own those of the operator, whose betas are sent as they are */
export function cloudHeaders(own: Record<string, string>, client: Record<string, string>): CloudHeaders {
  const { 'anthropic-version': version = '', 'anthropic-beta': _, ...others } = joinHeaders(own, client)
  const known = betasIn(client)
    .map(beta => renamed[beta] ?? beta)
    .filter(beta => cloudBetas.test(beta))
  return { ...(isLater(version) && { version }), betas: [...new Set([...betasIn(own), ...known])], others }
}

const betasIn = ({ 'anthropic-beta': betas = '' }: Record<string, string>): string[] =>
  betas
    .split(',')
    .map(beta => beta.trim())
    .filter(Boolean)

const isLater = (version: string): boolean => /^\d{4}-\d\d-\d\d$/.test(version) && version > ANTHROPIC_VERSION
