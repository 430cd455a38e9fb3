/** Relay responses as API clients read them. */
import { expect } from 'bun:test'
import { inTime } from '../until.ts'

/** An error as its caller gets it: in OpenAI's shape, signed with the request's id, open to every origin. */
export async function errorOf(response: Response) {
  const { error } = (await response.json()) as any
  expect(error.message).toEndWith(` (request id: ${response.headers.get('x-request-id')})`)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  return { status: response.status, code: error.code, param: error.param, type: error.type, message: error.message }
}

/** Resolves when a stream contains this text. A clone is read: the response itself stays unread. */
export async function textArrives(response: Response, words: string) {
  const reader = response.clone().body!.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; !text.includes(words); ) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
  }
}

/** For an upstream that breaks its stream off once the client has this text: it waits for this promise. */
export function afterText(words: string) {
  let call = Promise.withResolvers<void>()
  return {
    received: () => call.promise,
    async read(response: Response) {
      textArrives(response, words).then(call.resolve, call.resolve)
      const stream = await readStream(response)
      call = Promise.withResolvers()
      return stream
    },
  }
}

/** What a stream says, put together. */
export async function readStream(response: Response) {
  const text = await inTime(response.text(), 'the end of the stream')
  const events = text
    .split('\n\n')
    .filter(event => event.startsWith('data: '))
    .map(event => event.slice('data: '.length))
  const parsed = events.filter(event => event !== '[DONE]').map(event => JSON.parse(event))
  return {
    raw: text,
    done: events.at(-1) === '[DONE]',
    text: parsed.map(event => event.choices?.[0]?.delta?.content ?? '').join(''),
    usage: parsed.find(event => event.usage)?.usage,
    error: parsed.find(event => event.error)?.error,
    events: parsed,
  }
}
