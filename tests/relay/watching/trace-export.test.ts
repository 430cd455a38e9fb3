// @waits
/** Which calls are traced, and what becomes of their spans where a collector takes them or not. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Env } from '../../../src/env.ts'
import { SpanExporter } from '../../../src/net/span-exporter.ts'
import { setEnv } from '../../support/env.ts'
import { bob, collector, context, traced } from '../../support/otlp/traced.ts'

describe('sampling', () => {
  const sends = async (env: Partial<Env>, flags?: string) => {
    setEnv(env)
    const { trace, headers } = context(flags)
    await (await bob.chat({}, { headers: flags ? headers : {} })).text()
    setEnv({ OTEL_TRACES_SAMPLER: 'always_on' })
    const from = collector.spans.length
    const last = await traced(init => bob.chat({}, init))
    const others = collector.spans.filter(span => span.trace !== last.trace && span.kind === 2)
    return flags ? collector.named(trace).size > 0 : collector.spans.length > from && others.length > known
  }
  let known = 0
  beforeEach(() => {
    known = collector.spans.filter(({ kind }) => kind === 2).length
  })

  test.each([
    ['always_on', '00', true],
    ['always_off', '01', false],
    ['parentbased_always_on', '00', false],
    ['parentbased_always_on', undefined, true],
    ['parentbased_always_off', '01', true],
    ['parentbased_always_off', undefined, false],
    ['traceidratio', '01', false],
    ['parentbased_traceidratio', '01', true],
    ['parentbased_traceidratio', undefined, false],
  ] as const)('%s with flags %p sends: %p', async (OTEL_TRACES_SAMPLER, flags, isSent) => {
    expect(await sends({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: 0 }, flags)).toBe(isSent)
  })

  test.each<Partial<Env>>([{ OTEL_SDK_DISABLED: true }, { OTEL_TRACES_EXPORTER: 'none' }])(
    '%p sends nothing',
    async env => {
      setEnv(env)
      const { trace, headers } = context()
      await (await bob.chat({}, { headers })).text()
      setEnv({ OTEL_SDK_DISABLED: false, OTEL_TRACES_EXPORTER: 'otlp' })
      await traced(init => bob.chat({}, init))
      expect(collector.named(trace).size).toBe(0)
    },
  )
})

describe('collector', () => {
  afterEach(() => {
    collector.answer = undefined
  })

  test('headers and resource are those of the variables', async () => {
    setEnv({
      OTEL_EXPORTER_OTLP_HEADERS: { 'api-key': 'of the collector' },
      OTEL_SERVICE_NAME: 'gate-7',
      OTEL_RESOURCE_ATTRIBUTES: { 'deployment.environment.name': 'shop' },
    })
    await traced(init => bob.chat({}, init))
    const { headers, resource } = collector.requests.at(-1)!
    expect(headers.get('api-key')).toBe('of the collector')
    expect(resource).toMatchObject({ 'service.name': 'gate-7', 'deployment.environment.name': 'shop' })
  })

  test.each([429, 503])('spans that were answered %p are sent again', async status => {
    let refused = 0
    collector.answer = () => {
      refused++
      collector.answer = undefined
      return new Response('', { status, headers: { 'retry-after': '0.01' } })
    }
    const { spans } = await traced(init => bob.chat({}, init))
    expect([refused, spans.size]).toEqual([1, 6])
  })

  test('spans that were answered 400 are not sent again', async () => {
    const refused = Promise.withResolvers<void>()
    collector.answer = () => {
      refused.resolve()
      return new Response('', { status: 400 })
    }
    const { trace, headers } = context()
    await (await bob.chat({}, { headers })).text()
    await refused.promise
    collector.answer = undefined
    await traced(init => bob.chat({}, init))
    expect(collector.named(trace).size).toBe(0)
  })

  const hanging = () => new Promise<Response>(() => {})
  test.each<[string, Partial<Env>, (() => Promise<Response>) | undefined]>([
    ['is dead', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, undefined],
    ['hangs', { OTEL_EXPORTER_OTLP_TIMEOUT: 50 }, hanging],
    ['redirects', {}, async () => Response.redirect('http://127.0.0.1:1/', 307)],
  ])('calls are served as before while it %s', async (_, env, reply) => {
    setEnv(env)
    collector.answer = reply
    for (let call = 0; call < 5; call++) expect((await bob.chat()).status).toBe(200)
  })

  test('spans that no collector takes are kept up to 8 MiB', () => {
    const to = { url: 'http://127.0.0.1:1', headers: {}, timeout_ms: 50, begin: '[', end: ']' }
    const exporter = new SpanExporter(() => to)
    for (let added = 0; added < 5000; added++) exporter.add(`"${'x'.repeat(10_000)}"`, 1)
    expect(exporter.size).toBeWithin(8_000_000, 8_388_609)
    exporter.clear()
    expect(exporter.size).toBe(0)
  })
})
