/** Images, billed per image by size and quality, or by tokens; as JSON and as forms. */
import { afterAll, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { client, RICH } from '../../support/people/client.ts'
import { openAiOf } from '../../support/people/openai-client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { pictures, tells } from '../../support/upstream/endpoint-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream()
const models = ['dall-e-3', 'dall-e-2', 'gpt-image-1', 'flux']
await channelTo(upstream, { models: models.join(',') })
await setOption('ModelPrice', JSON.stringify({ 'dall-e-3': 0.04, 'dall-e-2': 0.02 }))
await setOption('ModelRatio', JSON.stringify({ 'gpt-image-1': 2.5, flux: 2 }))
afterAll(() => expect(upstream.violations).toEqual([]))

const paint = { model: 'dall-e-3', prompt: 'A cat' }
const file = (name: string, bytes = 'png bytes') => new File([bytes], name, { type: 'image/png' })

/** What a picture of each size and quality costs, in quota. */
const prices: [string, object, number][] = [
  ['plain', {}, 20_000],
  ['square', { size: '1024x1024' }, 20_000],
  ['high and fine', { size: '1024x1792', quality: 'hd' }, 60_000],
  ['two wide and fine', { size: '1792x1024', quality: 'hd', n: 2 }, 120_000],
  ['fine', { quality: 'hd' }, 40_000],
  ['small ones', { model: 'dall-e-2', size: '256x256', n: 10 }, 40_000],
  ['medium', { model: 'dall-e-2', size: '512x512' }, 4500],
  ['by a ratio', { model: 'flux', n: 3, size: '2048x2048' }, 3 * 1250 * 2],
]

test.each(prices)('the price counts size and quality: %s', async (_, fields, quota) => {
  const body = { ...paint, ...fields }
  upstream.scripts(body.model, pictures())
  const ann = await client()
  const answer = (await (await ann.postTo('/v1/images/generations', body)).json()) as any
  expect(answer.data).toHaveLength((fields as { n?: number }).n ?? 1)
  expect(upstream.journal.at(-1)!.body).toEqual(body)
  expect((await logsOf(ann.person))[0]).toMatchObject({ quota, model_name: body.model })
  expect(await ann.balance()).toBe(RICH - quota)
  const poor = await client({}, quota - 1)
  const refused = await errorOf(await poor.postTo('/v1/images/generations', body))
  expect(refused).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
})

test("OpenAI's client generates images", async () => {
  upstream.scripts('dall-e-3', pictures())
  const ann = await client()
  const answer = await openAiOf(ann).images.generate({ ...paint, response_format: 'b64_json', style: 'vivid' })
  expect(answer.data![0]!.b64_json).toBe('aGk=')
  expect(upstream.journal.at(-1)!.body).toEqual({ ...paint, response_format: 'b64_json', style: 'vivid' })
})

test('fewer images than requested cost less, and none costs nothing', async () => {
  for (const came of [1, 0]) {
    upstream.scripts('dall-e-3', pictures(undefined, came))
    const ann = await client()
    await ann.postTo('/v1/images/generations', { ...paint, n: 3 })
    expect(await ann.balance()).toBe(RICH - came * 20_000)
  }
})

const usage = {
  input_tokens: 60,
  output_tokens: 1000,
  total_tokens: 1060,
  input_tokens_details: { text_tokens: 10, image_tokens: 50 },
}
/** At 2.5 a token, eight times that for output. */
const byTokens = (text: number, image: number, output: number) => Math.round((text + image * 2 + output * 8) * 2.5)

test('a token-priced model is billed by tokens', async () => {
  upstream.scripts('gpt-image-1', pictures(usage))
  const ann = await client()
  await ann.postTo('/v1/images/generations', { model: 'gpt-image-1', prompt: 'A cat', quality: 'low' })
  expect((await logsOf(ann.person))[0]).toMatchObject({ prompt_tokens: 60, completion_tokens: 1000 })
  expect(await ann.balance()).toBe(RICH - byTokens(10, 50, 1000))
})

test('images without a usage report are counted by size and quality', async () => {
  upstream.scripts('gpt-image-1', pictures())
  const ann = await client()
  const body = { model: 'gpt-image-1', prompt: 'A cat', quality: 'low', size: '1024x1024', n: 2 }
  await ann.postTo('/v1/images/generations', body)
  expect(await ann.balance()).toBe(RICH - byTokens(2, 0, 2 * 272))
})

test('a model with a price per image is not billed by tokens', async () => {
  upstream.scripts('gpt-image-1', pictures())
  await setOption('ModelPrice', JSON.stringify({ 'gpt-image-1': 0.1, 'dall-e-3': 0.04, 'dall-e-2': 0.02 }))
  const ann = await client()
  await ann.postTo('/v1/images/generations', { model: 'gpt-image-1', prompt: 'A cat', n: 2 })
  await setOption('ModelPrice', JSON.stringify({ 'dall-e-3': 0.04, 'dall-e-2': 0.02 }))
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({ quota: 100_000, prompt_tokens: 0, completion_tokens: 0 })
})

test('a streamed image arrives piece by piece, the final one after the bill', async () => {
  upstream.scripts(
    'gpt-image-1',
    tells(
      { type: 'image_generation.partial_image', b64_json: 'YQ==', partial_image_index: 0 },
      { type: 'image_generation.completed', b64_json: 'aGk=', usage },
    ),
  )
  const ann = await client()
  const stream = await openAiOf(ann).images.generate({
    model: 'gpt-image-1',
    prompt: 'A cat',
    stream: true,
    partial_images: 1,
  })
  const events = await Array.fromAsync(stream)
  expect(events.map(event => event.type)).toEqual(['image_generation.partial_image', 'image_generation.completed'])
  expect(await ann.balance()).toBe(RICH - byTokens(10, 50, 1000))
})

test('a whole response to a streamed request is delivered', async () => {
  upstream.scripts('gpt-image-1', pictures(usage))
  const ann = await client()
  const response = await ann.postTo('/v1/images/generations', { model: 'gpt-image-1', prompt: 'A cat', stream: true })
  expect(((await response.json()) as any).data).toHaveLength(1)
  expect(await ann.balance()).toBe(RICH - byTokens(10, 50, 1000))
})

test('a form reaches the upstream unchanged except for the model', async () => {
  upstream.scripts('their-model', pictures())
  await channelTo(upstream, { models: 'edits', model_mapping: '{"edits":"their-model"}' })
  await setOption('ModelPrice', JSON.stringify({ edits: 0.04, 'dall-e-3': 0.04, 'dall-e-2': 0.02 }))
  const ann = await client()
  const image = [file('a.png', 'first\r\n--bytes'), file('b "quoted".png', 'second')]
  await openAiOf(ann).images.edit({
    model: 'edits',
    image,
    prompt: 'Zwei Kätzchen 猫',
    n: 2,
    mask: file('mask.png', ''),
  })
  const { body, files } = upstream.journal.at(-1)!
  expect(body).toEqual({ model: 'their-model', prompt: 'Zwei Kätzchen 猫', n: '2' })
  expect(await Promise.all(files['image[]']!.map(each => each.text()))).toEqual(['first\r\n--bytes', 'second'])
  expect(files['image[]']!.map(each => each.type)).toEqual(['image/png', 'image/png'])
  expect(files.mask).toHaveLength(1)
  expect(await ann.balance()).toBe(RICH - 40_000)
})

test('edits are accepted as JSON, variations as forms', async () => {
  upstream.scripts('dall-e-2', pictures())
  const ann = await client()
  const body = { model: 'dall-e-2', prompt: 'A cat', images: [{ image_url: 'https://example.com/cat.png' }] }
  expect((await ann.postTo('/v1/images/edits', body)).status).toBe(200)
  expect(upstream.journal.at(-1)!.body).toEqual(body)
  await openAiOf(ann).images.createVariation({ image: file('cat.png'), n: 2, size: '256x256' })
  expect(upstream.journal.at(-1)!.body).toEqual({ model: 'dall-e-2', n: '2', size: '256x256' })
  expect(await ann.balance()).toBe(RICH - 10_000 - 8000)
})

const wrong: [string, object][] = [
  ['n', { n: -100 }],
  ['n', { n: -1 }],
  ['n', { n: 0 }],
  ['n', { n: 1.5 }],
  ['n', { n: '3' }],
  ['n', { n: 1_000_000 }],
  ['size', { size: '1025x1024' }],
  ['size', { size: '1024×1024' }],
  ['size', { size: 1024 }],
  ['quality', { quality: ['hd'] }],
  ['prompt', { prompt: '' }],
  ['stream', { stream: 1 }],
]

test.each(wrong)('a wrong %s is refused: %p', async (param, fields) => {
  const ann = await client()
  const before = upstream.journal.length
  expect(await errorOf(await ann.postTo('/v1/images/generations', { ...paint, ...fields }))).toMatchObject({
    status: 400,
    param,
  })
  expect(upstream.journal).toHaveLength(before)
  expect(await ann.balance()).toBe(RICH)
})

test.each([
  ['n', [['n', '-1']]],
  ['n', [['n', '1e9']]],
  [
    'n',
    [
      ['n', '1'],
      ['n', '100'],
    ],
  ],
  [
    'model',
    [
      ['model', 'dall-e-2'],
      ['model', 'dall-e-3'],
    ],
  ],
] as [string, [string, string][]][])('a form with a wrong %s is refused', async (param, fields) => {
  const ann = await client()
  const form = new FormData()
  form.append('image', file('cat.png'))
  for (const [name, value] of fields) form.append(name, value)
  expect(await errorOf(await ann.postTo('/v1/images/variations', form))).toMatchObject({ status: 400, param })
  expect(await ann.balance()).toBe(RICH)
})

test('a quote in a file name ends no field', async () => {
  upstream.scripts('dall-e-2', pictures())
  const ann = await client()
  const part = (head: string, text: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const fields = part('name="model"', 'dall-e-2') + part('name="prompt"', 'A cat')
  const form = `${fields}${part('name="image"; filename="a \\"fat\\" cat.png"', 'png bytes')}--x--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await ann.postTo('/v1/images/edits', form, { headers })).status).toBe(200)
  expect(decodeURIComponent(upstream.journal.at(-1)!.files.image![0]!.name)).toBe('a "fat" cat.png')
})

test('a form with too many or too large fields is refused', async () => {
  const ann = await client()
  const send = async (fill: (form: FormData) => void) => {
    const form = new FormData()
    form.append('image', file('a.png'))
    fill(form)
    return errorOf(await ann.postTo('/v1/images/edits', form))
  }
  const restore = setEnv({ MAX_REQUEST_MB: 3 })
  const large = await send(form => form.append('mask', file('b.png', 'x'.repeat(4_000_000))))
  restore()
  expect(large).toMatchObject({ status: 413, code: 'too_large' })
  expect(await send(form => form.append('prompt', 'x'.repeat(2_000_000)))).toMatchObject({ code: 'form_too_long' })
  const many = await send(form => Array.from({ length: 300 }, (_, index) => form.append(`field${index}`, 'x')))
  expect(many).toMatchObject({ status: 400, code: 'form_too_long' })
})

test('a form without an image or an end is refused', async () => {
  const ann = await client()
  const form = new FormData()
  form.append('prompt', 'A cat')
  expect(await errorOf(await ann.postTo('/v1/images/edits', form))).toMatchObject({ status: 400, param: 'image' })
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const cut = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nbytes'
  expect(await errorOf(await ann.postTo('/v1/images/edits', cut, { headers }))).toMatchObject({ code: 'form_broken' })
})
