// @engine sqlite
/** Chunked bodies that break, at every path: one status line, and the end of the connection. */
import { expect, test } from 'bun:test'
import { apiRoutes } from '../../../src/relay/endpoints/table.ts'
import { consoleRoutes } from '../../support/app/routes.ts'
import { chatBody, client, MODEL } from '../../support/people/client.ts'
import { rawRequest } from '../../support/people/raw-request.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
const ann = await client()

const chunked = (method: string, path: string, host = 'localhost') => [
  `${method} ${path} HTTP/1.1`,
  `host: ${host}`,
  `authorization: Bearer sk-${ann.key}`,
  'transfer-encoding: chunked',
]
const concrete = (path: string) => path.replace(/\*/, MODEL).replace(/\/:\w+/g, '/1')
const paths = [...new Set([...apiRoutes, ...consoleRoutes].map(({ method, path }) => `${method} ${concrete(path)}`))]

/** What comes for a request, and for one that is smuggled behind its broken chunk. */
const broken = 'zz\r\nab\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'

test('a broken chunk at any path gets one 400 and the end of the connection', async () => {
  const sent = ['OPTIONS /v1/models', 'PUT /v1/models', 'POST /nowhere', ...paths].map(name => {
    const [method = '', path = ''] = name.split(' ')
    return { name, ...rawRequest(ann.url, chunked(method, path), broken) }
  })
  for (const { name, statuses } of sent) expect([name, await statuses]).toEqual([name, [400]])
})

test('a chunk that breaks behind the answer to its request is not read', async () => {
  for (const name of [
    'POST /api/user/login',
    'GET /v1/models',
    'POST /v1/nowhere',
    'OPTIONS /v1/models',
    'GET /login',
  ]) {
    const [method = '', path = ''] = name.split(' ')
    const request = rawRequest(ann.url, [...chunked(method, path), 'authorization: none'], '2\r\nab\r\n')
    await Bun.sleep(300)
    request.write(broken)
    const statuses = await request.statuses
    expect([name, statuses.length]).toEqual([name, 1])
  }
})

test('a chunked body that is whole is read, and its connection serves the next request', async () => {
  const body = JSON.stringify(chatBody())
  const chunk = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const request = rawRequest(ann.url, chunked('POST', '/v1/chat/completions'), chunk)
  await Bun.sleep(500)
  request.write([...chunked('POST', '/v1/chat/completions'), 'connection: close', '', chunk].join('\r\n'))
  expect(await request.statuses).toEqual([200, 200])
})

test('a short host name leads to the same pages', async () => {
  for (const host of ['gw', 'a', 'gw:3000', 'gateway.example']) {
    const lines = ['GET /api/status HTTP/1.1', `host: ${host}`, 'connection: close']
    expect([host, await rawRequest(ann.url, lines).statuses]).toEqual([host, [200]])
  }
})
