/** What a maker's mock reads of a request and writes as its reply, whatever the wire. */

export type Json = Record<string, any>

export interface ToolCall {
  id: string
  name: string
  args: Json
}

export interface OfferedTool {
  name: string
  /** Names of its arguments. */
  properties: string[]
}

/** The thought before the calls of a round: as it was issued, replaced by the maker's skip marker, or absent. */
export type ReturnedThought = 'signed' | 'skipped' | 'missing'

export interface Round {
  calls: ToolCall[]
  /** Texts by call id. */
  results: Map<string, string>
  thought: ReturnedThought
}

export interface Conversation {
  model: string
  /** Texts of the user and the system. */
  prompt: string
  tools: OfferedTool[]
  rounds: Round[]
  streamed: boolean
  /** The caller asks for thoughts. */
  thinks: boolean
  /** The caller asks for JSON. */
  json: boolean
}

export interface Reply {
  thinking: string
  text: string
  calls: ToolCall[]
}

/** Tokens as all makers report them: the prompt includes what the cache had. */
export interface ReportedTokens {
  prompt: number
  cached: number
  output: number
}

/** A request that the maker refuses with status 400. */
export class Refused extends Error {}

export const refuseUnless = (holds: unknown, message: string) => {
  if (!holds) throw new Refused(message)
}

/** @throws Refused for the first field that the maker does not know */
export function refuseUnknown(body: Json, known: string[], where = '') {
  const unknown = Object.keys(body).find(name => !known.includes(name))
  refuseUnless(unknown === undefined, `${where}${unknown}: Extra inputs are not permitted`)
}

export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : [])

/** Signatures that the mock has issued, each with what it signs. */
export class Signatures {
  #signed = new Map<string, string>()

  sign(content: unknown): string {
    const signature = Buffer.from(`signature ${this.#signed.size} ${crypto.randomUUID()}`).toString('base64')
    this.#signed.set(signature, JSON.stringify(content))
    return signature
  }

  /** @throws Refused when the signature is of another maker or its content was changed */
  check(signature: string, content: unknown, message: string) {
    refuseUnless(this.#signed.get(signature) === JSON.stringify(content), message)
  }
}

/** Texts of a content: a text, or a list of parts with texts. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map(part => part.text ?? '')
        .join('\n')

export function parsedArguments(text: unknown): Json {
  try {
    return JSON.parse(String(text))
  } catch {
    throw new Refused(`Invalid arguments: ${text}`)
  }
}
