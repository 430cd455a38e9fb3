// @engine sqlite
/** Upstreams with an invalid certificate: nothing is sent, and another channel takes over. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, quotaOf, RICH } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { socksProxy } from '../../support/upstream/proxies.ts'
import { channelTo, deleteChannels, served } from '../../support/upstream/served-channel.ts'

const KEY = 'sk-secret-0123456789'
const TALKER = 'gpt-4o-realtime-preview'
const good = chat({ usage: { prompt_tokens: 10, completion_tokens: 3 } })
const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
const visits: string[] = []
const servers: { stop(): unknown }[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true })
  expect(visits).toEqual([])
})

/** What OpenSSL needs to be told before it lets anyone choose the dates. */
const authority = `
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = names
[any]
commonName = supplied
[names]
subjectAltName = DNS:localhost,IP:127.0.0.1
`

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

/** An https server that nobody should speak to. */
async function behind(from: string, until: string): Promise<string> {
  const own = mkdtempSync(join(folder, 'server-'))
  await Bun.write(join(own, 'ca.cnf'), authority)
  await Bun.write(join(own, 'index.txt'), '')
  await Bun.write(join(own, 'serial'), '01')
  const [key, cert] = [join(own, 'key.pem'), join(own, 'cert.pem')]
  const wish = '-newkey rsa:2048 -nodes -keyout key.pem -subj /CN=localhost -out wish.pem'.split(' ')
  await Bun.$`openssl req ${wish}`.cwd(own).quiet()
  const lasting = ['-startdate', from, '-enddate', until]
  const grant = '-config ca.cnf -selfsign -keyfile key.pem -in wish.pem -out cert.pem -batch -notext'.split(' ')
  await Bun.$`openssl ca ${grant} ${lasting}`.cwd(own).quiet()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key: Bun.file(key), cert: Bun.file(cert) },
    fetch(request) {
      visits.push(request.headers.get('authorization') ?? '')
      return new Response('caught')
    },
  })
  servers.push(server)
  return `https://127.0.0.1:${server.port}`
}

const certificates: [name: string, url: string][] = [
  ['self-signed', await behind('20200101000000Z', '20990101000000Z')],
  ['expired', await behind('20200101000000Z', '20210101000000Z')],
]

test.each(certificates)('%s: the client gets an error and pays nothing', async (_, url) => {
  await setOption('RetryTimes', 0)
  await channelTo(url, { key: KEY })
  for (const stream of [false, true]) {
    const { status, message } = await errorOf(await ann.chat({ stream }))
    expect(status).toBe(502)
    expect(message).not.toMatch(/127\.0|localhost|secret|certificate/i)
  }
  expect(await ann.balance()).toBe(RICH)
})

test.each(certificates)('%s: the next channel responds and is billed once', async (_, url) => {
  await setOption('RetryTimes', 1)
  await channelTo(url, { key: KEY, priority: 9 })
  await served(good)
  expect((await ann.chat()).status).toBe(200)
  expect(await ann.balance()).toBe(RICH - quotaOf(10, 3))
  expect(await logsOf(ann.person)).toHaveLength(1)
})

test.each(certificates)('%s: no realtime session opens, directly or through a proxy', async (_, url) => {
  await setOption('RetryTimes', 0)
  const { url: proxy, targets } = await socksProxy(url)
  for (const setting of ['', JSON.stringify({ proxy })]) {
    await deleteChannels()
    await channelTo(url, { key: KEY, models: TALKER, setting })
    const handshake = { upgrade: 'websocket', connection: 'Upgrade' }
    const refused = await ann.get(`/v1/realtime?model=${TALKER}`, handshake)
    expect(await errorOf(refused)).toMatchObject({ status: 502, code: 'upstream_unreachable' })
  }
  expect(targets).toHaveLength(1)
  expect(await ann.balance()).toBe(RICH)
})
