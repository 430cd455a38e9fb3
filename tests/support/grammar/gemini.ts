/** Gemini generateContent. https://ai.google.dev/api/generate-content (read 2026-11) */
import { isObject, type Json, type Rules, type StreamGrammar, type WireEvent } from './rules.ts'

export const geminiGrammar = (rules: Rules): StreamGrammar => new ChunkGrammar(rules)

/** https://ai.google.dev/api/generate-content#FinishReason (read 2026-11) */
const finishReasons = [
  ...['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'LANGUAGE', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'],
  ...['MALFORMED_FUNCTION_CALL', 'IMAGE_SAFETY', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'NO_IMAGE'],
]

/** What a part has besides its thought and its signature, by its type. */
const parts: Record<string, (value: any, rules: Rules) => void> = {
  text: (text, rules) => rules.holds(typeof text === 'string', 'text'),
  functionCall: (call, rules) => {
    rules.text(call?.name, 'functionCall.name')
    rules.holds(isObject(call?.args), 'functionCall.args')
  },
  inlineData: (media, rules) => rules.shape(media, { mimeType: 'string', data: 'string' }, 'inlineData'),
  fileData: (file, rules) => rules.shape(file, { fileUri: 'string' }, 'fileData'),
  executableCode: (code, rules) => rules.shape(code, { code: 'string' }, 'executableCode'),
  codeExecutionResult: (result, rules) => rules.shape(result, { outcome: 'string' }, 'codeExecutionResult'),
}

const base64 = /^[\w+/-]+={0,2}$/

class ChunkGrammar implements StreamGrammar {
  #head: unknown
  #isOver = false
  #hasUsage = false
  /** Whether each candidate has finished. */
  readonly #finished = new Map<number, boolean>()
  readonly #ids = new Set<string>()

  constructor(private readonly rules: Rules) {}

  read({ name, body }: WireEvent) {
    const { rules } = this
    rules.same(name, undefined, 'the name of the event')
    if (!rules.holds(body, 'an event without JSON')) return
    rules.holds(!this.#isOver, 'a chunk comes after the end')
    if (body!.error) return this.#error(body!.error)
    const head = { modelVersion: body!.modelVersion, responseId: body!.responseId }
    this.#head ??= head
    rules.same(head, this.#head, 'the head')
    rules.text(head.modelVersion, 'modelVersion')
    rules.text(head.responseId, 'responseId')
    // Google's SDKs take a chunk without a candidate for an invalid turn.
    if (!rules.holds(Array.isArray(body!.candidates) && body!.candidates.length, 'no candidates')) return
    for (const candidate of body!.candidates) this.#candidate(candidate)
    if (body!.usageMetadata) this.#usage(body!.usageMetadata)
    this.#isOver = this.#hasUsage && [...this.#finished.values()].every(Boolean)
  }

  #candidate({ index, content, finishReason, logprobsResult }: Json) {
    const { rules } = this
    rules.count(index, 'index')
    rules.holds(!this.#finished.get(index), `candidate ${index} goes on after its end`)
    rules.same(content?.role, 'model', 'role')
    if (rules.holds(Array.isArray(content?.parts) && content.parts.length, 'no parts'))
      for (const part of content.parts) this.#part(part)
    if (finishReason !== undefined) rules.oneOf(finishReason, finishReasons, 'finishReason')
    if (logprobsResult)
      rules.shape(logprobsResult, { chosenCandidates: 'list', topCandidates: 'list' }, 'logprobsResult')
    this.#finished.set(index, finishReason !== undefined)
  }

  #part({ thought, thoughtSignature, ...part }: Json) {
    const { rules } = this
    const [type, ...others] = Object.keys(part)
    if (!rules.holds(type && !others.length && parts[type], `a part of ${Object.keys(part)}`)) return
    parts[type!]!(part[type!], rules)
    if (thought !== undefined) rules.same([thought, type], [true, 'text'], 'thought')
    if (thoughtSignature !== undefined) rules.holds(base64.test(thoughtSignature), 'thoughtSignature is no base64')
    const id = part.functionCall?.id
    if (id === undefined) return
    rules.holds(!this.#ids.has(id), `id ${id} is not unique`)
    this.#ids.add(id)
  }

  #usage(usage: Json) {
    this.#hasUsage = true
    this.rules.count(usage.promptTokenCount ?? 0, 'promptTokenCount')
    this.rules.count(usage.totalTokenCount, 'totalTokenCount')
  }

  #error(error: unknown) {
    this.#isOver = true
    if (!this.rules.shape(error, { code: 'number', message: 'string', status: 'string' }, 'error')) return
    this.rules.text(error.status, 'error.status')
    this.rules.text(error.message, 'error.message')
  }

  end() {
    this.rules.holds(this.#isOver, 'no end')
  }
}
