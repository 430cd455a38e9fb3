// @engine sqlite
/** A thousand odd requests. */
import { expect, test } from 'bun:test'
import { client, MODEL } from '../../support/people/client.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

await channelTo(await startUpstream(chat()))

/** Odd shapes where clients put parts, tools and options: the same ones on every run. */
function* oddities(count: number) {
  let seed = 7
  const pick = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const atoms = [
    null,
    0,
    -1,
    1.5,
    '',
    'x',
    true,
    [],
    {},
    [[]],
    { type: 'image_url' },
    { type: 'text', text: 5 },
    '\u0001',
    1e300,
  ]
  const value = (depth: number): unknown => {
    const kind = depth > 3 ? 0 : pick(4)
    if (kind === 1) return Array.from({ length: pick(4) }, () => value(depth + 1))
    if (kind === 2) return Object.fromEntries(names.filter(() => pick(3) === 0).map(name => [name, value(depth + 1)]))
    return atoms[pick(atoms.length)]
  }
  const names = [
    'role',
    'content',
    'type',
    'text',
    'image_url',
    'function',
    'name',
    'parameters',
    'tool_calls',
    '__proto__',
    'detail',
  ]
  const fields = [
    'tools',
    'tool_choice',
    'stop',
    'response_format',
    'stream_options',
    'metadata',
    'user',
    'n',
    'logit_bias',
    'functions',
  ]
  for (let at = 0; at < count; at++) {
    const odd = Object.fromEntries(fields.filter(() => pick(3) === 0).map(field => [field, value(0)]))
    yield {
      model: MODEL,
      messages: pick(4) ? [value(0), { role: 'user', content: value(0) }] : value(0),
      stream: pick(2) === 0,
      ...odd,
    }
  }
}

test('a thousand odd requests are each answered or refused, and leave no reservation', async () => {
  const poor = await client({}, 3_000_000)
  for (const body of oddities(1000)) {
    const response = await poor.post(body)
    const text = await response.text()
    if (response.status !== 200) expect(JSON.parse(text).error.code).toBeString()
    expect([200, 400]).toContain(response.status)
  }
  // Were one reservation left open, this one would not fit beside it.
  const left = await poor.balance()
  const response = await poor.chat({ max_tokens: Math.floor((left - 1000) / 5) })
  expect(response.status).toBe(200)
})
