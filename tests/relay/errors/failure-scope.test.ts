/** Streams that break off with an error of the upstream: what rests, the model, the channel or nothing. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import { holdClock, shiftClock } from '../../../src/process/clock.ts'
import { beginning } from '../../formats/wire/index.ts'
import { type Json, named, unnamed } from '../../formats/wire/sse.ts'
import { type Client, client } from '../../support/people/client.ts'
import { channelNow } from '../../support/upstream/channel.ts'
import { events } from '../../support/upstream/format-upstreams.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

const FAILURES_MAX = 5
let ann: Client
beforeEach(async () => {
  holdClock(true)
  shiftClock(700)
  await deleteChannels()
  ann = await client()
})
afterEach(() => holdClock(false))

/** An error in a stream, in the words of each maker. */
const failures: Record<ClientFormatName, (code: string, message: string) => string> = {
  'openai-chat': (code, message) => unnamed([{ error: { message, type: code, code, param: null } }]),
  'openai-responses': (code, message) =>
    named([
      { type: 'error', sequence_number: 9, code, message, param: null },
      {
        type: 'response.failed',
        sequence_number: 10,
        response: { id: 'r', object: 'response', status: 'failed', error: { code, message }, output: [] },
      },
    ]),
  anthropic: (type, message) => named([{ type: 'error', error: { type, message } }]),
  gemini: (code, message) => unnamed([{ error: { code: statuses[code], message, status: code.toUpperCase() } }]),
}
const statuses: Json = { overloaded_error: 503, rate_limit_error: 429, server_error: 500, invalid_request_error: 400 }

const stream = async (format: ClientFormatName) => (await callIn(format, ann, { stream: true })).text()

/** What rests after as many broken streams as open a circuit. @param client asks in this format */
async function restsAfter(upstream: ClientFormatName, code: string, message: string, client = upstream) {
  const { id } = await channelFor(upstream)
  serverOf(upstream).scripts(answer => events(answer, beginning(upstream) + failures[upstream](code, message)))
  for (let turn = 0; turn < FAILURES_MAX; turn++) expect(await stream(client)).toContain('Four')
  const { cooldown, model_cooldowns } = await channelNow(id)
  return { rest: cooldown?.scope, models: model_cooldowns.length }
}

describe.each([...formats])('a stream of %s', format => {
  test('an overload or a limit in the stream rests the model alone', async () => {
    for (const code of ['overloaded_error', 'rate_limit_error'])
      expect(await restsAfter(format, code, 'Overloaded')).toEqual({ rest: undefined, models: 1 })
  })

  test('the hint of a limit in the stream rests the model for as long, after the first', async () => {
    const { id } = await channelFor(format)
    const limit = failures[format]('rate_limit_error', 'Please try again in 20s.')
    serverOf(format).scripts(answer => events(answer, beginning(format) + limit))
    await stream(format)
    expect((await channelNow(id)).model_cooldowns).toMatchObject([{ scope: 'model', seconds: 20 }])
  })

  test('a failing server rests the channel', async () => {
    expect(await restsAfter(format, 'server_error', 'Internal')).toEqual({ rest: 'channel', models: 0 })
  })

  test('an error of the request rests nothing', async () => {
    expect(await restsAfter(format, 'invalid_request_error', 'Bad')).toEqual({ rest: undefined, models: 0 })
  })

  test('an overload that is translated rests the model alone', async () => {
    const [other] = formats.filter(name => name !== format)
    const rests = await restsAfter(format, 'overloaded_error', 'Overloaded', other)
    expect(rests).toEqual({ rest: undefined, models: 1 })
  })
})

test('a stream that ends well closes no circuit that has opened since it began', async () => {
  const { id } = await channelFor('openai-chat')
  const ended = Promise.withResolvers<void>()
  const text = beginning('openai-chat')
  serverOf('openai-chat').scripts(async answer => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(text)
    await ended.promise
    await answer.write('data: [DONE]\n\n')
    await answer.end()
  })
  const running = await callIn('openai-chat', ann, { stream: true })
  const limit = { error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' } }
  serverOf('openai-chat').scripts(answer => answer.json(limit, 429, { 'retry-after': '45' }))
  await callIn('openai-chat', ann)
  ended.resolve()
  expect(await running.text()).toContain('[DONE]')
  expect((await channelNow(id)).model_cooldowns).toMatchObject([{ scope: 'model', seconds: 45 }])
})
