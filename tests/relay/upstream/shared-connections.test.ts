/** Concurrent calls over shared connections get their own responses. */
import { expect, test } from 'bun:test'
import { client } from '../../support/people/client.ts'
import { readStream } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const CALLS = 1000
const AT_ONCE = 100
const nonceOf = (text: string) => /nonce-\d+/g.exec(text)?.[0]

/** Says the caller's own word back, and now and then more than an answer: one for whoever comes next. */
let turn = 0
const echo: Script = async (call, answer) => {
  const text = `You said ${nonceOf(call.text)} to me`
  if (++turn % 7 || call.body.stream) return chat({ text, cut_at: turn % 200 })(call, answer)
  const body = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: text } }] })
  await answer.head(200, { 'content-type': 'application/json' }, body.length)
  await answer.write(`${body}${smuggled}`)
}
const stray = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'nonce-0000' } }] })
const smuggled = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${stray.length}\r\n\r\n${stray}`

test('a thousand concurrent calls each get their own response', async () => {
  await channelTo(await startUpstream(echo))
  const ann = await client()
  let whole = 0
  const say = async (number: number) => {
    const messages = [{ role: 'user', content: `nonce-${number}` }]
    const stream = number % 2 === 0
    const answer = await ann.chat({ stream, messages })
    const text = stream ? (await readStream(answer)).text : await answer.text()
    for (const received of text.match(/nonce-\d+/g) ?? []) expect(received).toBe(`nonce-${number}`)
    if (nonceOf(text)) whole++
  }
  for (let first = 0; first < CALLS; first += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => say(first + index)))
  expect(whole).toBeGreaterThan(CALLS / 2)
})
