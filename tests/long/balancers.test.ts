// @engine postgres
// @waits
/** Two nodes behind each balancer of docs/deploy: streams, sockets, and a restart of both nodes under load. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Installation, newInstallation, setUpAt, signInAt } from '../support/app/installation.ts'
import { newFolder } from '../support/app/server.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { bringPackages } from '../support/debian-packages.ts'
import { type BalancerName, startBalancer } from '../support/deploy/balancers.ts'
import { keepCalling, type RolledNode, startNode } from '../support/deploy/rolled-nodes.ts'
import { type Certificate, newCertificate } from '../support/mail/certificate.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat, gate } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'
import { realtimeModel } from '../support/upstream/realtime-model.ts'

const MODEL = 'gpt-4o-mini'
const REALTIME_MODEL = 'gpt-4o-realtime-preview'
const CALLERS = 16
const BRING_MS = 300_000

const upstream = await fakeUpstream()
const realtime = realtimeModel()
let place: Installation
let certificate: Certificate
let key: string
const nodes: RolledNode[] = []

beforeAll(async () => {
  await bringPackages(['balancers'])
  certificate = await newCertificate()
  place = { ...(await newInstallation()), folder: newFolder() }
  place.env = { ...place.env, SECRET_KEY: 'the key of one installation' }
  const env = { TRUSTED_PROXIES: '127.0.0.1/32', DRAIN_SECONDS: '5' }
  for (let count = 0; count < 2; count++) nodes.push(await startNode(place, env))
  const { server } = nodes[0]!
  await setUpAt(server)
  const root = await signInAt(server)
  const channel = { type: 1, key: 'sk-upstream' }
  for (const [models, base_url] of [
    [MODEL, upstream.url],
    [REALTIME_MODEL, realtime.url],
  ])
    await sendWell(server.url, root, '/api/channel/', { body: { ...channel, name: models, base_url, models } })
  key = (await sendWell(server.url, root, '/api/token/', { body: { name: 'key', unlimited_quota: true } })).data.key
}, BRING_MS)

afterAll(() => {
  upstream.stop()
  realtime.stop()
})

describe.each<BalancerName>(['haproxy', 'caddy', 'nginx'])('%s', name => {
  let balancer: Awaited<ReturnType<typeof startBalancer>>
  beforeAll(async () => {
    const ports = nodes.map(({ port }) => port)
    balancer = await startBalancer(name, ports, certificate)
  })
  afterAll(() => balancer.stop())

  const call = (body: object) =>
    fetch(`${balancer.url}/v1/chat/completions`, {
      ...{ method: 'POST', headers: { authorization: `Bearer sk-${key}` }, tls: { ca: certificate.ca } },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50, ...body }),
    })

  test('a balancer passes on each event as it comes', async () => {
    const held = gate()
    upstream.scripts(MODEL, held.script)
    const response = await call({ stream: true })
    const reader = response.body!.getReader()
    const first = new TextDecoder().decode((await reader.read()).value)
    expect(first).toContain('data: {')
    held.open()
    let rest = ''
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      rest += new TextDecoder().decode(piece.value)
    expect(rest).toEndWith('data: [DONE]\n\n')
  })

  test('a balancer carries a WebSocket of the realtime API', async () => {
    const socket = new WebSocket(`${balancer.url.replace('https', 'wss')}/v1/realtime?model=${REALTIME_MODEL}`, {
      ...{ headers: { authorization: `Bearer sk-${key}` }, tls: { ca: certificate.ca } },
    } as never)
    const events: string[] = []
    socket.onmessage = ({ data }) => void events.push(JSON.parse(String(data)).type)
    await until(() => events.includes('session.created'), 'a session')
    socket.close()
  })

  test('both nodes restart one after the other under load without a failed call', async () => {
    upstream.scripts(MODEL, chat({ pause_ms: 5 }))
    const ask = async (index: number) => {
      const stream = index % 2 === 0
      const response = await call({ stream })
      const text = await response.text()
      await Bun.sleep(20)
      if (response.status !== 200) return `${response.status} ${text.slice(0, 200)}`
      return text.endsWith(stream ? 'data: [DONE]\n\n' : '}') ? 'whole' : `cut: ${text.slice(-100)}`
    }
    const calls = keepCalling(CALLERS, ask)
    await Bun.sleep(2000)
    for (const node of nodes) {
      const before = node.server.process.pid
      await balancer.takeOut(node.port)
      expect(await node.restart()).toBe(0)
      await balancer.bringBack(node.port)
      expect(node.server.process.pid).not.toBe(before)
      // Balancers ask again within 2 seconds.
      await Bun.sleep(4000)
    }
    const outcomes = await calls.stop()
    expect(Object.keys(outcomes)).toEqual(['whole'])
    expect(outcomes.whole).toBeGreaterThan(200)
    await checkInvariants(place)
  })
})
