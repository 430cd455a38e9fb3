/** Reads `usage`. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11) */
import type { Usage } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf } from '../json/lenient-json.ts'
import { readTokens } from '../json/token-usage.ts'
import type { WenxinUsage } from './wire.ts'

/** A report without output has the total. @returns undefined when the upstream reports no tokens */
export function readUsage(report: unknown, doubts: string[]): Usage | undefined {
  if (!isObject(report)) return undefined
  const { prompt_tokens, completion_tokens, total_tokens } = objectOf<WenxinUsage>(report)
  const rest = Math.max(0, (numberOf(total_tokens) ?? 0) - (numberOf(prompt_tokens) ?? 0))
  const read = readTokens({ prompt_tokens, completion_tokens: completion_tokens ?? rest })
  doubts.push(...(read?.doubts ?? []))
  return read?.usage
}
