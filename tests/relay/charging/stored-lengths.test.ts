/** What an upstream has stored of a call, and how long it is: whole rows. */
import { expect, test } from 'bun:test'
import { usageOf } from '../../../src/billing/usage.ts'
import { NO_MAKER } from '../../../src/domain/stored-objects/index.ts'
import type { MadeObject, MeteredUsage } from '../../../src/formats/format.ts'
import { storedBy } from '../../../src/relay/charging/stored-objects.ts'

type Given = Parameters<typeof storedBy>
const [USER, OTHER, CHANNEL, KEY] = [7, 8, 3, 'sk-one']
const openAi = { name: 'openai-responses' }

interface Case {
  /** Fields of the call beside 100 tokens of its prompt, of which 60 are stored already. */
  call?: object
  facts?: { id?: string; made?: () => MadeObject[] }
  response?: object
  metered?: Partial<MeteredUsage>
}

function rowsOf({ call, facts = { id: 'resp_1' }, response, metered }: Case) {
  const counts = { prompt_tokens: 100, stored_tokens: 60, user_id: USER, request_id: 'req_1', held: [] }
  return storedBy(
    { ...counts, endpoint: { format: openAi }, facts: { stores: 'response' }, ...call } as unknown as Given[0],
    { channel: { id: CHANNEL }, key: KEY, api: { format: openAi }, facts, ...response } as unknown as Given[1],
    { usage: usageOf({ input: 90, output: 10 }), by: 'upstream', doubts: [], ...metered },
  )
}

const held = (kind: string, id: string, maker: number) => ({ reference: { kind, id }, maker })
const at = { channel_id: CHANNEL, key: KEY }
const mine = { user_id: USER, ...at }
const response = (tokens: number, upstream_id?: string) => ({
  kind: 'response',
  id: 'resp_1',
  ...mine,
  tokens,
  upstream_id,
})
const makes = (...made: object[]) => ({ id: 'resp_1', made: () => made as unknown as MadeObject[] })
const counted = (input: number, output: number): Partial<MeteredUsage> => ({
  usage: usageOf({ input, output }),
  by: 'gateway',
})
const nothing = { facts: { stores: undefined } }

/** Of 90 tokens read 40 stand in the request: 50 are added. */
const cases: [title: string, given: Case, rows: object[] | undefined][] = [
  ['a response is as long as its prompt and output', {}, [response(100)]],
  ['what the gateway counts leaves out what is stored', { metered: counted(40, 10) }, [response(110)]],
  ['what the gateway counts may be more than it estimated', { metered: counted(120, 10) }, [response(130)]],
  [
    'cached tokens are read too',
    { metered: { usage: usageOf({ input: 50, cache_read: 40, output: 5 }) } },
    [response(95)],
  ],
  ['thinking is output', { metered: { usage: usageOf({ input: 90, output: 10, reasoning: 4 }) } }, [response(100)]],
  [
    'a background response has the id of its client',
    { call: { response_id: 'resp_1' }, facts: { id: 'resp_theirs' } },
    [response(100, 'resp_theirs')],
  ],
  [
    'a conversation grows to the whole and keeps its maker',
    { call: { held: [held('conversation', 'conv_1', OTHER)] } },
    [{ kind: 'conversation', id: 'conv_1', user_id: OTHER, ...at, tokens: 100 }, response(100)],
  ],
  [
    'a container and a file are as long as what their last use has added',
    { call: { ...nothing, held: [held('container', 'cntr_1', OTHER), held('file', 'cfile_1', USER)] } },
    [
      { kind: 'container', id: 'cntr_1', user_id: OTHER, ...at, tokens: 50, group: 'req_1' },
      { kind: 'file', id: 'cfile_1', user_id: USER, ...at, tokens: 50, group: 'req_1' },
    ],
  ],
  [
    'an earlier response keeps its length, one that was made elsewhere gets it',
    { call: { ...nothing, held: [held('response', 'resp_0', USER), held('response', 'resp_x', NO_MAKER)] } },
    [{ kind: 'response', id: 'resp_x', user_id: NO_MAKER, ...at, tokens: 50, group: 'req_1' }],
  ],
  [
    'nothing is added where less is read than the request has',
    {
      call: { ...nothing, held: [held('file', 'cfile_1', USER)] },
      metered: { usage: usageOf({ input: 30, output: 1 }) },
    },
    [{ kind: 'file', id: 'cfile_1', user_id: USER, ...at, tokens: 0, group: 'req_1' }],
  ],
  [
    'an item is as long as the output, a container as what was added, a file is not known',
    {
      call: nothing,
      facts: makes({ kind: 'item', id: 'msg_1' }, { kind: 'container', id: 'cntr_1' }, { kind: 'file', id: 'cfile_1' }),
    },
    [
      { kind: 'item', id: 'msg_1', tokens: 10, response_id: 'resp_1', ...mine },
      { kind: 'container', id: 'cntr_1', tokens: 50, ...mine },
      { kind: 'file', id: 'cfile_1', tokens: 32_768, ...mine },
    ],
  ],
  [
    'an item beside a result has what the tool has read too, a sound the output',
    {
      call: nothing,
      facts: makes({ kind: 'item', id: 'msg_1', has_result: true }, { kind: 'audio', id: 'audio_1' }),
    },
    [
      { kind: 'item', id: 'msg_1', tokens: 60, response_id: 'resp_1', ...mine },
      { kind: 'audio', id: 'audio_1', tokens: 10, ...mine },
    ],
  ],
  [
    'what the request has named already is not made anew',
    {
      call: { ...nothing, held: [held('container', 'cntr_1', OTHER)] },
      facts: makes({ kind: 'container', id: 'cntr_1' }, { kind: 'item', id: 'cntr_1' }),
    },
    [
      { kind: 'container', id: 'cntr_1', user_id: OTHER, ...at, tokens: 50, group: 'req_1' },
      { kind: 'item', id: 'cntr_1', tokens: 10, response_id: 'resp_1', ...mine },
    ],
  ],
  ['another format stores nothing for the client', { response: { api: { format: { name: 'anthropic' } } } }, undefined],
  ['a response without an id is not found again', { facts: {} }, undefined],
  ['a call that stores nothing has no rows', { call: nothing }, undefined],
  ['a response from no key has no rows', { response: { key: undefined } }, undefined],
]

test.each(cases)('stored objects: %s', (_, given, rows) => {
  expect(rowsOf(given)).toEqual(rows as never)
})
