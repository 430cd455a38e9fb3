/**
 * Headers of Anthropic's clients for Claude in another company's cloud, which reads the version from the body and
 * refuses a request with a beta that it does not know.
 * https://github.com/anthropics/anthropic-sdk-typescript, https://github.com/anthropics/claude-code/issues/49370 and
 * https://github.com/vercel/ai/issues/10981 (read 2026-11)
 */
import { ANTHROPIC_VERSION } from './anthropic.ts'

interface CloudHeaders {
  /** Absent for the first version, which each cloud has a name of its own for. */
  version?: string
  betas: string[]
  others: Record<string, string>
}

/** Marks of Anthropic's clients, and what its own service alone runs or charges. */
const ownBetas =
  /^(?:claude-code|oauth|files-api|code-execution|web-fetch|mcp-(?:client|servers)|skills|advisor-tool|fast-mode|prompt-caching-scope)-/

export function cloudHeaders(headers: Record<string, string>): CloudHeaders {
  const { 'anthropic-version': version = '', 'anthropic-beta': betas = '', ...others } = headers
  return {
    ...(isLater(version) && { version }),
    betas: betas
      .split(',')
      .map(beta => beta.trim())
      .filter(beta => beta && !ownBetas.test(beta)),
    others,
  }
}

const isLater = (version: string): boolean => /^\d{4}-\d\d-\d\d$/.test(version) && version > ANTHROPIC_VERSION
