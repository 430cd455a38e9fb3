// @engine sqlite
/** How the playground reads the stream of an answer. */
import { afterEach, expect, spyOn, test } from 'bun:test'

// The request names the user of the document.
await import('../support/dom/dom.ts')
const { streamAnswer } = await import('../../client/playground/stream-answer.ts')

const fetched = spyOn(globalThis, 'fetch')
afterEach(() => fetched.mockReset())

const EVENTS = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

/** Reads an answer whose response ends, or breaks, after its last event. */
async function read(isBroken: boolean) {
  const events = [EVENTS]
  const read = { text: '', isCancelled: false }
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(stream) {
      const event = events.shift()
      // The response ends later than its last event is read.
      if (!event) await Bun.sleep(0)
      if (event) stream.enqueue(new TextEncoder().encode(event))
      else if (isBroken) stream.error(new Error('connection lost'))
      else stream.close()
    },
    cancel() {
      read.isCancelled = true
    },
  }
  const response = new Response(new ReadableStream(source, { highWaterMark: 0 }), {
    headers: { 'content-type': 'text/event-stream' },
  })
  fetched.mockImplementationOnce((async () => response) as unknown as typeof fetch)
  const body = { model: 'm1', messages: [], stream: true as const, group: 'default' }
  await streamAnswer(body, new AbortController().signal, {
    started() {},
    piece: ({ text }) => {
      read.text += text
    },
  })
  return read
}

test('an answer is read to the end of its response, so that the log does not call it incomplete', async () => {
  expect(await read(false)).toEqual({ text: 'Hi', isCancelled: false })
})

test('an answer is complete although the connection breaks after its last event', async () => {
  expect(await read(true)).toEqual({ text: 'Hi', isCancelled: false })
})
