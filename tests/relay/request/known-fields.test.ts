// @engine sqlite
/** What docs/fields.md calls passed arrives unchanged at an upstream of the same format; what it calls refused never does. */
import { expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import { namesOf, nativeOutcome, partOf } from '../../sdk/outcomes.ts'
import { setPrice } from '../../support/app/prices.ts'
import { client, MODEL } from '../../support/people/client.ts'
import {
  ANTHROPIC,
  ask,
  bodies,
  channel,
  type Door,
  GEMINI,
  OPENAI,
  received,
} from '../../support/upstream/reporting-upstream.ts'

const doors: Record<ClientFormatName, [Door, number]> = {
  'openai-chat': ['chat', OPENAI],
  'openai-responses': ['responses', OPENAI],
  anthropic: ['messages', ANTHROPIC],
  gemini: ['gemini', GEMINI],
}

/** The gateway writes or completes these itself. */
const own = new Set(['model', 'stream', 'stream_options', 'safetySettings'])
/** What these name has an owner. */
const stored = new Set(['previous_response_id', 'conversation', 'prompt', 'cachedContent', 'container', 'thread'])

const passed = (format: ClientFormatName, kind: 'field' | 'tool') =>
  namesOf(format, kind).filter(
    name => nativeOutcome(format, kind, name) === 'passed' && !own.has(name) && !stored.has(name),
  )

test.each([...formats])('fields and tools of %p that pass arrive unchanged', async format => {
  const [door, type] = doors[format]
  await channel(type)
  const ann = await client()
  for (const kind of ['field', 'tool'] as const) {
    for (const name of passed(format, kind)) {
      const part = partOf(format, kind, name)
      const { status } = await ask(ann, door, part)
      expect([name, status, received.at(-1)?.body]).toEqual([name, 200, expect.objectContaining(part)])
    }
  }
})

test.each([...formats])(
  'fields and tools of %p that are priced or refused go nowhere without a price',
  async format => {
    const [door, type] = doors[format]
    await channel(type)
    await setPrice('TariffRatio', {})
    await setPrice('ToolPrice', { other: 1 })
    await setPrice('ModelRatio', { [MODEL]: 1.25 })
    const ann = await client()
    for (const kind of ['field', 'tool'] as const) {
      const names = namesOf(format, kind).filter(name => /^(?:priced|refused)/.test(nativeOutcome(format, kind, name)))
      for (const name of names) {
        const { status } = await ask(ann, door, partOf(format, kind, name))
        expect([name, status]).toEqual([name, 400])
      }
    }
    expect(received).toEqual([])
  },
)

test('betas that pass arrive, one by one and all at once', async () => {
  await channel(ANTHROPIC)
  const ann = await client()
  const betas = namesOf('anthropic', 'beta')
  for (const list of [...betas, betas.join(',')]) {
    const { status } = await ask(ann, 'messages', {}, { 'anthropic-beta': list })
    expect([list, status, received.at(-1)!.headers.get('anthropic-beta')]).toEqual([list, 200, list])
  }
})

test('betas of a client go to no upstream of another format', async () => {
  await channel(OPENAI)
  const beta = { 'anthropic-beta': namesOf('anthropic', 'beta').join(',') }
  const ann = await client()
  expect((await ask(ann, 'messages', { ...bodies.messages[1], model: MODEL }, beta)).status).toBe(200)
  expect(received.at(-1)!.headers.has('anthropic-beta')).toBe(false)
})
