/** Reads and writes `usageMetadata`. https://ai.google.dev/api/generate-content (read 2026-11) */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { type Usage, usageOf } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectsOf } from '../json/lenient-json.ts'
import { plausible, share } from '../json/reported-counts.ts'
import type { GeminiModalityCount, GeminiUsage } from './wire.ts'

/**
 * `promptTokenCount` includes cached tokens, which become a bucket of their own; `candidatesTokenCount` excludes
 * thinking tokens, which are added. @returns undefined when the upstream reports no tokens
 */
export function readUsage(report: unknown, doubts: string[]): Usage | undefined {
  if (!isObject(report)) return undefined
  const count = (value: unknown, name: string) => plausible(value, name, doubts) ?? 0
  const prompt = count(report.promptTokenCount, 'promptTokenCount')
  const tools = count(report.toolUsePromptTokenCount, 'toolUsePromptTokenCount')
  const thinking = count(report.thoughtsTokenCount, 'thoughtsTokenCount')
  const response = count(report.candidatesTokenCount, 'candidatesTokenCount')
  if (!prompt && !response && !thinking) return undefined
  const of = (details: unknown, modality: string) =>
    objectsOf(details)
      .filter(detail => detail.modality === modality)
      .reduce((sum, detail) => sum + count(detail.tokenCount, modality), 0)
  const fresh = (modality: string) =>
    Math.max(0, of(report.promptTokensDetails, modality) - of(report.cacheTokensDetails, modality))
  const input = share(prompt + tools, 'prompt', doubts)
  const output = share(response + thinking, 'answer', doubts)
  const usage = usageOf({
    cache_read: input.take(count(report.cachedContentTokenCount, 'cachedContentTokenCount'), 'cachedContentTokenCount'),
    input_audio: input.take(fresh('AUDIO'), 'AUDIO'),
    input_image: input.take(fresh('IMAGE'), 'IMAGE'),
    output_audio: output.take(of(report.candidatesTokensDetails, 'AUDIO'), 'AUDIO'),
    output_image: output.take(of(report.candidatesTokensDetails, 'IMAGE'), 'IMAGE'),
    reasoning: thinking,
  })
  usage.input = input.rest()
  usage.output = output.rest()
  return usage
}

export function writeUsage(usage: Usage): GeminiUsage {
  const promptTokenCount = promptTokens(usage)
  const output = completionTokens(usage)
  const { reasoning, cache_read } = usage
  return {
    promptTokenCount,
    cachedContentTokenCount: cache_read || undefined,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning || undefined,
    totalTokenCount: promptTokenCount + output,
    promptTokensDetails: writeDetails(promptTokenCount - cache_read, usage.input_audio, usage.input_image),
    cacheTokensDetails: cache_read ? [{ modality: 'TEXT', tokenCount: cache_read }] : undefined,
    candidatesTokensDetails: writeDetails(output - reasoning, usage.output_audio, usage.output_image),
  }
}

function writeDetails(total: number, audio: number, image: number): GeminiModalityCount[] {
  const counts = { TEXT: total - audio - image, AUDIO: audio, IMAGE: image }
  const present = Object.entries(counts).filter(([, tokenCount]) => tokenCount > 0)
  return present.map(([modality, tokenCount]) => ({ modality, tokenCount }))
}
