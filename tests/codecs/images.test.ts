/** What pictures cost by what is asked for, whatever that is called. */
import { expect, test } from 'bun:test'
import { imageGenerations } from '../../src/codecs/openai-images/index.ts'

const asked = (body: object) => imageGenerations.readAsk({ prompt: 'A cat', ...body })

test('a quality or a size that nobody knows costs what one costs that is not named', () => {
  const square = { model: 'gpt-image-1', size: '1024x1024' }
  for (const quality of ['constructor', 'toString', 'superb']) {
    expect(asked({ ...square, quality })).toEqual(asked(square))
    expect(asked({ ...square, quality })).toMatchObject({ max_output: 4160 })
  }
  expect(asked({ model: 'dall-e-of-ours', size: 'constructor' })).toMatchObject({ multiplier: 1 })
})
