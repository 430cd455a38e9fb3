/** Files in memory, with which SDKs play an agent loop: its prompt, its tools and its end. */
import { expect } from 'bun:test'
import { ROUNDS, sources } from '../makers/agent-plan.ts'
import type { Json, ReturnedThought } from '../makers/conversation.ts'
import type { MakerServer } from '../makers/maker.ts'
import type { Gate, GateKey } from './gate.ts'

const text = { type: 'string' }

export class MemoryFiles {
  readonly folder = `/memory/${crypto.randomUUID()}`
  readonly words = Object.values(sources).map(word => `${word}-${crypto.randomUUID().slice(0, 8)}`)
  readonly prompt = `Scenario loop in the folder ${this.folder}: read a.txt, b.txt and c.txt and write what they hold.`
  #files = new Map(Object.keys(sources).map((file, index) => [`${this.folder}/${file}`, this.words[index]!]))

  readonly tools = [
    { name: 'read', description: 'Read a file', schema: schemaOf({ path: text }) },
    { name: 'write', description: 'Write a file', schema: schemaOf({ path: text, content: text }) },
  ]

  run(name: string, { path, content }: Json): string {
    if (name === 'read') return this.#files.get(path) ?? `no such file: ${path}`
    this.#files.set(path, content)
    return 'written'
  }

  /** The conversation went through all rounds, its history was valid in each, and its bills are the maker's report. */
  async expectPlayed(last: string, { log }: MakerServer, thought: ReturnedThought, gate: Gate, key: GateKey) {
    expect(log.violations).toEqual([])
    const [alpha, beta, gamma] = this.words
    expect(last).toContain(`DONE ${alpha} ${beta} ${gamma}`)
    expect(this.#files.get(`${this.folder}/sum.txt`)).toBe(`${alpha} ${gamma}`)
    expect(log.turns.at(-1)!.rounds.map(round => round.thought)).toEqual(Array(ROUNDS).fill(thought))
    expect(await gate.logged(key, ROUNDS + 1)).toMatchObject({ prompt: log.tokens.prompt, output: log.tokens.output })
  }
}

function schemaOf(properties: Record<string, Json>) {
  return { type: 'object' as const, properties, required: Object.keys(properties), additionalProperties: false }
}
