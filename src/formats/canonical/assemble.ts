/** A stream, put together to the answer that it tells. */
import type { ChatChoice, ChatResponse, Delta, ResponsePart, StreamEvent } from './chat.ts'

export class Assembly {
  readonly answer: ChatResponse = { id: '', model: '', choices: [], doubts: [] }
  readonly #parts = new Map<string, ResponsePart>()

  add(event: StreamEvent) {
    switch (event.kind) {
      case 'start':
        this.answer.id = event.id
        this.answer.model = event.model
        if (event.created !== undefined) this.answer.created = event.created
        if (event.usage) this.answer.usage = event.usage
        return
      case 'open': {
        const part = structuredClone(event.opening)
        this.#parts.set(`${event.choice}/${event.part}`, part)
        this.#choice(event.choice).parts.push(part)
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
        this.answer.usage = event.usage
        this.answer.doubts = event.doubts
        return
      case 'close':
      case 'error':
      case 'end':
    }
  }

  #choice(index: number): ChatChoice {
    while (this.answer.choices.length <= index) this.answer.choices.push({ parts: [], finish: { reason: 'stop' } })
    return this.answer.choices[index]!
  }
}

export function assemble(events: Iterable<StreamEvent>): ChatResponse {
  const assembly = new Assembly()
  for (const event of events) assembly.add(event)
  return assembly.answer
}

/** What a delta adds where it can be added; elsewhere nothing. */
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

/** Each piece of sound is base64 of its own, and may end with padding that the next must not follow. */
function joined(base64: string, more: string): string {
  if (!base64.endsWith('=')) return base64 + more
  // Only the last four letters are open: there may be very many pieces, and very much before them.
  const bytes = [base64.slice(-4), more].map(piece => Buffer.from(piece, 'base64'))
  return base64.slice(0, -4) + Buffer.concat(bytes).toString('base64')
}
