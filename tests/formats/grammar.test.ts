// @engine sqlite
/** Every stream that a client gets has the grammar of its format: each upstream format in each client format. */
import { describe, expect, test } from 'bun:test'
import { chatFormats, formats } from '../../src/formats/index.ts'
import type { Route } from '../../src/formats/translate/route.ts'
import { TranslatingStream } from '../../src/formats/translate/translating-stream.ts'
import { violations } from '../support/grammar/index.ts'
import { labelFor, requestOf, toldBy } from './support.ts'
import { wires } from './wire/index.ts'
import { features } from './wire/sse.ts'
import { upstreamWires } from './wire/upstreams.ts'

const upstreams = [
  ...formats.map(name => ({ name: name as string, format: chatFormats[name], streams: wires[name].streams })),
  ...upstreamWires.map(({ title, format, streams }) => ({ name: title, format, streams })),
]

describe.each([...formats])('client %s', client => {
  test.each(upstreams)('upstream $name: every stream has the grammar of the client', ({ format, streams }) => {
    for (const feature of features) {
      const text = streams[feature]
      if (text === undefined) continue
      const route: Route = {
        client: chatFormats[client],
        upstream: format,
        label: labelFor(requestOf(client, feature)),
      }
      const written = toldBy(new TranslatingStream(route, { keep_text: false }), text)
      expect({ feature, violations: violations(client, written) }).toEqual({ feature, violations: [] })
    }
  })
})
