/** Moderations, billed by our own count of the input. */
import { afterAll, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { client, RICH } from '../../support/people/client.ts'
import { openAiOf } from '../../support/people/openai-client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { says } from '../../support/upstream/endpoint-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const MODEL = 'text-moderation-stable'
const results = [{ flagged: false, categories: { violence: false }, category_scores: { violence: 0.01 } }]
const upstream = await startUpstream(says({ id: 'modr-1', model: MODEL, results }), MODEL)
await channelTo(upstream, { models: `${MODEL},text-moderation-latest` })
afterAll(() => expect(upstream.violations).toEqual([]))

test("OpenAI's client gets a moderation and pays for its input", async () => {
  const ann = await client()
  const answer = await openAiOf(ann).moderations.create({ model: MODEL, input: 'word '.repeat(100).trim() })
  expect(answer.results[0]!.flagged).toBe(false)
  expect((await logsOf(ann.person))[0]).toMatchObject({ prompt_tokens: 100, quota: 10 })
  expect(await ann.balance()).toBe(RICH - 10)
})

test('the default model is the stable one, and images are moderated too', async () => {
  const ann = await client()
  const picture = { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } }
  const response = await ann.postTo('/v1/moderations', { input: [{ type: 'text', text: 'A cat' }, picture] })
  expect(response.status).toBe(200)
  expect(upstream.journal.at(-1)!.body).toMatchObject({ model: MODEL, input: [{ text: 'A cat' }, picture] })
})

test('a request without input is refused', async () => {
  const ann = await client()
  expect(await errorOf(await ann.postTo('/v1/moderations', { input: [] }))).toMatchObject({
    status: 400,
    param: 'input',
  })
  expect(await ann.balance()).toBe(RICH)
})
