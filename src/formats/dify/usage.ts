/**
 * Reads usage: of a message, or of the run of a workflow, whose nodes report theirs.
 * https://docs.dify.ai/en/api-reference/workflows/run-workflow (read 2026-11)
 */
import { TokenCounter } from '../../pure/estimate-tokens.ts'
import type { Usage } from '../canonical/chat.ts'
import { objectOf, type UnreadFields } from '../json/lenient-json.ts'
import { plausible } from '../json/reported-counts.ts'
import { readUsage } from '../openai-chat/usage.ts'
import type { DifyEvent, DifyOutputs, DifyRun, DifyUsage } from './wire.ts'

/** A run reports one sum of tokens; how it divides into input and output is known of its nodes, or of the text. */
export class RunUsage {
  #input = 0
  #output = 0
  readonly #text = new TokenCounter()

  addNode({ data }: UnreadFields<DifyEvent>) {
    const report = objectOf<DifyUsage>(usageOfNode(data))
    const doubts: string[] = []
    this.#input += plausible(report.prompt_tokens, 'prompt_tokens', doubts) ?? 0
    this.#output += plausible(report.completion_tokens, 'completion_tokens', doubts) ?? 0
  }

  addText(text: string) {
    this.#text.add(text)
  }

  /** @returns undefined when the run reports no tokens */
  read({ data }: UnreadFields<DifyEvent>, doubts: string[]): Usage | undefined {
    const total = plausible(objectOf<DifyRun>(data).total_tokens, 'total_tokens', doubts) ?? 0
    const isSplit = this.#output > 0 && this.#input + this.#output <= total
    // Without input tokens, the prompt would be counted once more.
    const output = isSplit ? this.#output : Math.min(this.#text.tokens, Math.max(0, total - 1))
    return readUsage({ prompt_tokens: total - output, completion_tokens: output }, doubts)
  }
}

/** Whether an event reports the tokens of a node. */
export function reportsNode({ event, data }: UnreadFields<DifyEvent>): boolean {
  return event === 'node_finished' && Boolean(usageOfNode(data))
}

function usageOfNode(data: unknown): unknown {
  const { process_data, outputs } = objectOf<DifyRun>(data)
  return objectOf<DifyOutputs>(process_data).usage ?? objectOf<DifyOutputs>(outputs).usage
}
