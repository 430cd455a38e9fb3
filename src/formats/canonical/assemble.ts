/** Assembles canonical events to a whole response. */
import type { ChatChoice, ChatResponse, Delta, ResponsePart, StreamEvent } from './chat.ts'

export class Assembly {
  readonly response: ChatResponse = { id: '', model: '', choices: [], doubts: [] }
  readonly #parts = new Map<string, ResponsePart>()

  add(event: StreamEvent) {
    switch (event.kind) {
      case 'start':
        this.response.id = event.id
        this.response.model = event.model
        if (event.created !== undefined) this.response.created = event.created
        if (event.conversation) this.response.conversation = event.conversation
        if (event.usage) this.response.usage = event.usage
        return
      case 'open': {
        const part = structuredClone(event.opening)
        this.#parts.set(`${event.choice}/${event.part}`, part)
        const choice = this.#choice(event.choice)
        if (event.replaces) choice.parts = choice.parts.filter(({ kind }) => kind !== 'text')
        choice.parts.push(part)
        return
      }
      case 'delta': {
        const part = this.#parts.get(`${event.choice}/${event.part}`)
        if (part) addTo(part, event.delta)
        return
      }
      case 'logprobs': {
        const choice = this.#choice(event.choice)
        choice.logprobs = [...(choice.logprobs ?? []), ...event.tokens]
        return
      }
      case 'finish':
        this.#choice(event.choice).finish = event.finish
        return
      case 'usage':
        this.response.usage = event.usage
        this.response.doubts = event.doubts
        return
      case 'close':
      case 'error':
      case 'end':
    }
  }

  #choice(index: number): ChatChoice {
    while (this.response.choices.length <= index) this.response.choices.push({ parts: [], finish: { reason: 'stop' } })
    return this.response.choices[index]!
  }
}

export function assemble(events: Iterable<StreamEvent>): ChatResponse {
  const assembly = new Assembly()
  for (const event of events) assembly.add(event)
  return assembly.response
}

/** Adds a delta to a part; a delta of another kind of part is ignored. */
export function addTo(part: ResponsePart, delta: Delta) {
  switch (part.kind) {
    case 'text':
      if ('text' in delta) part.text += delta.text
      if ('citation' in delta) part.citations = [...(part.citations ?? []), delta.citation]
      if ('signature' in delta) part.signature = delta.signature
      return
    case 'thinking':
      if ('text' in delta) part.text += delta.text
      if ('signature' in delta) part.signature = delta.signature
      return
    case 'refusal':
      if ('text' in delta) part.text += delta.text
      return
    case 'tool_call':
      if ('arguments' in delta) part.arguments += delta.arguments
      if ('signature' in delta) part.signature = delta.signature
      return
    case 'audio':
      if ('audio' in delta && part.source.via === 'base64') part.source.data = joined(part.source.data, delta.audio)
      if ('transcript' in delta) part.transcript = (part.transcript ?? '') + delta.transcript
      return
    case 'image':
    case 'native':
  }
}

/** Each piece of audio is base64 of its own and may end in padding, which nothing may follow. */
function joined(base64: string, more: string): string {
  if (!base64.endsWith('=')) return base64 + more
  // Decodes only the last four characters: there may be many pieces, each after a long text.
  const bytes = [base64.slice(-4), more].map(piece => Buffer.from(piece, 'base64'))
  return base64.slice(0, -4) + Buffer.concat(bytes).toString('base64')
}
