// @engine sqlite
/** What pictures cost by what is asked for, whatever that is called. */
import { expect, test } from 'bun:test'
import { usageOf } from '../../src/billing/usage.ts'
import { imageEdits, imageGenerations } from '../../src/formats/openai-images/index.ts'
import type { Json } from '../../src/pure/json.ts'
import { withCounts } from '../../src/relay/charging/with-counts.ts'

const asked = (body: object) => imageGenerations.readFacts({ prompt: 'A cat', ...body })

test('images: an unknown quality or size costs as the default', () => {
  const square = { model: 'gpt-image-1', size: '1024x1024' }
  for (const quality of ['constructor', 'toString', 'superb']) {
    expect(asked({ ...square, quality })).toEqual(asked(square))
    expect(asked({ ...square, quality })).toMatchObject({ max_output: 4160 })
  }
  expect(asked({ model: 'dall-e-of-ours', size: 'constructor' })).toMatchObject({ multiplier: 1 })
})

const sized = { model: 'gpt-image-1', prompt: 'x', size: '1024x1024', quality: 'medium' }
const counted = { prompt: 9, output: 2 }
const metered = (usage_report: Json | undefined, basis: { request: Json; by_call?: boolean }) =>
  withCounts(imageGenerations.meter({ usage_report, output_estimate: counted.output }, basis), counted)

test('images: without usage they count by size and quality, at most as many as requested', () => {
  const meter = (request: Json, by_call = false) => metered(undefined, { request, by_call })
  expect(meter({ ...sized, n: 2 }).usage).toEqual(usageOf({ input: 9, output_image: 2112, calls: 2 }))
  expect(meter({ ...sized, size: '1536x1024' }).usage).toEqual(usageOf({ input: 9, output_image: 1584, calls: 1 }))
  expect(meter({ ...sized, quality: 'auto' }).usage).toEqual(usageOf({ input: 9, output_image: 4160, calls: 1 }))
  expect(meter({ model: 'flux', n: 2 }).usage).toEqual(usageOf({ input: 2500, calls: 2 }))
  expect(meter({ model: 'dall-e-3' }, true).usage).toEqual(usageOf({ calls: 1 }))
})

test('a report of tokens is believed, except of models that are paid by the piece', () => {
  const report = { input_tokens: 5, output_tokens: 7 }
  const meter = (model: string) => metered(report, { request: { model, n: 2 } })
  expect(meter('gpt-image-1')).toMatchObject({ by: 'upstream', usage: { input: 5, output_image: 7, calls: 2 } })
  expect(meter('dall-e-3')).toMatchObject({ by: 'gateway', usage: { input: 2500, output_image: 0, calls: 2 } })
})

test('images: input images count as prompt, under every field name', () => {
  const tokens = (given: object) => imageEdits.promptTokens({ ...sized, ...given })
  const plain = tokens({})
  for (const given of [{ image: {} }, { 'image[]': [{}] }, { images: [{}] }, { mask: {} }])
    expect(tokens(given)).toBe(plain + 1000)
  expect(tokens({ 'image[]': [{}, {}], mask: {} })).toBe(plain + 3000)
})
