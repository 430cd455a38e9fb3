/** Clients that leave a call whose upstream is at work. */
import { app } from '../app/app.ts'
import { inTime, until } from '../until.ts'
import type { Call, Upstream } from '../upstream/openai.ts'
import type { Client } from './client.ts'

/** Sends a call, waits until its upstream is at work and some of its answer has come, and leaves. */
export const leavingClient =
  (upstream: Upstream) =>
  async (ann: Client, body: object, { path = '/v1/chat/completions', when = '' } = {}): Promise<Call> => {
    const before = upstream.journal.length
    const leaving = new AbortController()
    const response = ann.postTo(path, body, { signal: leaving.signal })
    const call = await until(() => upstream.journal[before])
    if (when) await comes(await response, when)
    leaving.abort()
    await response.catch(() => undefined)
    await until(() => app.server!.pendingRequests === 0)
    return Object.create(call, { ended: { get: () => inTime(call.ended, 'the end of the call at the upstream') } })
  }

/** Reads until these words have come. @throws Error when the response ends without them */
export async function comes(response: Response, words: string) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; !text.includes(words); ) {
    const { done, value } = await inTime(reader.read(), `the words ${words}`)
    if (done) throw new Error(`${words} did not come: ${text}`)
    text += value
  }
  reader.releaseLock()
}
