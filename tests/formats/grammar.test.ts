// @engine sqlite
/** Every stream that a client gets has the grammar of its format, from every upstream format, cut anywhere. */
import { describe, expect, test } from 'bun:test'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { violations } from '../support/grammar/index.ts'
import { labelFor, requestOf, violationsOf } from './support.ts'
import { wires } from './wire/index.ts'
import { eventsOfText, features } from './wire/sse.ts'
import { upstreamWires } from './wire/upstreams.ts'

const upstreams = [
  ...formats.map(name => ({ ...wires[name], title: name as string, format: chatFormats[name] })),
  ...upstreamWires,
]

describe.each([...formats])('client %s', client => {
  test.each([400, 401, 403, 429, 500, 502, 529])('a stream that is nothing but status %p has the grammar', status => {
    const error = { status, message: 'Not now', type: '', code: 'not_now', param: null }
    const response = { id: 'req_1', model: 'm', created: 1_700_000_000 }
    expect(violations(client, chatFormats[client].writeErrorFrame(error, response))).toEqual([])
  })

  test.each(upstreams)('upstream $title: streams and their cuts have the grammar', ({ format, streams, errors }) => {
    for (const feature of features) {
      const route = { client: chatFormats[client], upstream: format, label: labelFor(requestOf(client, feature)) }
      for (const text of [streams[feature], errors.stream])
        if (text !== undefined) expect(violationsOf(route, eventsOfText(text))).toEqual([])
    }
  })
})
