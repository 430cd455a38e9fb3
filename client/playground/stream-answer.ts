/** Sends a chat request and reads the streamed answer. */
import { PLAYGROUND_CALL_PATH } from '../../src/contracts/playground.ts'
import type { ChatBody } from './conversation.ts'

/** A piece of an answer. */
export interface AnswerPiece {
  text: string
  thinking: string
}

export interface AnswerReader {
  /** The request id, as soon as the response begins. */
  started(request_id: string | undefined): void
  piece(piece: AnswerPiece): void
}

/** Why an answer failed; `expired` without a session. */
export class AnswerFailed extends Error {
  constructor(
    message: string,
    readonly reason: 'expired' | 'unreachable' | 'broken' | 'error' = 'error',
  ) {
    super(message)
  }

  /** The error's own text, or the reason. */
  get text(): string {
    return this.reason === 'error' ? this.message : this.reason
  }
}

const UNAUTHORIZED = 401
const DONE = '[DONE]'

/** Resolves at the end of the answer. @throws AnswerFailed, or an AbortError after `signal` */
export async function streamAnswer(body: ChatBody, signal: AbortSignal, reader: AnswerReader): Promise<void> {
  const response = await send(body, signal)
  reader.started(response.headers.get('x-request-id') ?? undefined)
  if (!response.ok) throw await failureOf(response)
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const message = ((await response.json()) as Chunk).choices?.[0]?.message
    return reader.piece({ text: message?.content ?? '', thinking: message?.reasoning_content ?? '' })
  }
  let isFinished = false
  for await (const data of eventsOf(response, signal)) {
    // Leaving before the response ends counts as an abandoned call.
    if (data === DONE) {
      isFinished = true
      continue
    }
    const chunk = parsed(data)
    if (chunk.error) throw new AnswerFailed(errorText(chunk.error))
    const choice = chunk.choices?.[0]
    if (choice?.finish_reason) isFinished = true
    const { content, reasoning_content, reasoning } = choice?.delta ?? {}
    const piece = { text: textIn(content), thinking: textIn(reasoning_content ?? reasoning) }
    if (piece.text || piece.thinking) reader.piece(piece)
  }
  if (!isFinished) throw new AnswerFailed('', 'broken')
}

interface Message {
  content?: string | null
  reasoning_content?: string | null
  reasoning?: unknown
}

/** An event of the stream, or the whole answer. */
interface Chunk {
  choices?: { delta?: Message; message?: Message; finish_reason?: string | null }[]
  error?: unknown
}

const send = (body: ChatBody, signal: AbortSignal): Promise<Response> =>
  fetch(PLAYGROUND_CALL_PATH, {
    method: 'POST',
    signal,
    cache: 'no-store',
    headers: { 'content-type': 'application/json', 'tollgate-user': document.documentElement.dataset.user ?? '' },
    body: JSON.stringify(body),
  }).catch(error => {
    throw signal.aborted ? error : new AnswerFailed('', 'unreachable')
  })

async function failureOf(response: Response): Promise<AnswerFailed> {
  const body = (await response.json().catch(() => ({}))) as { error?: unknown; message?: string }
  const text = body.error ? errorText(body.error) : (body.message ?? `${response.status} ${response.statusText}`)
  return new AnswerFailed(text, response.status === UNAUTHORIZED ? 'expired' : 'error')
}

const errorText = (error: unknown): string =>
  typeof error === 'string' ? error : ((error as { message?: string }).message ?? JSON.stringify(error))

/** The data of each server-sent event. https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function* eventsOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split(/\r?\n/)
      rest = lines.pop()!
      for (const line of lines) {
        if (!line.startsWith('data:')) continue
        const data = line.slice('data:'.length).trim()
        isDone ||= data === DONE
        yield data
      }
    }
  } catch (error) {
    if (isDone) return
    throw signal.aborted ? error : new AnswerFailed('', 'broken')
  } finally {
    reader.cancel().catch(() => {})
  }
}

function parsed(data: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(data)
    return typeof chunk === 'object' && chunk !== null ? chunk : {}
  } catch {
    throw new AnswerFailed('', 'broken')
  }
}

/** Carriage returns would shift the blocks of the text. */
const textIn = (value: unknown): string => (typeof value === 'string' ? value.replaceAll('\r', '') : '')
