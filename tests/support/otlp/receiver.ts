/** A collector as strict as OTLP over JSON allows: what is wrong with a request stands in `flaws`. */

type Json = Record<string, any>

export interface ReceivedSpan {
  trace: string
  id: string
  parent: string | undefined
  state: string | undefined
  name: string
  kind: number
  start: bigint
  end: bigint
  /** Types are those of the wire: whole numbers as bigint. */
  attributes: Record<string, string | bigint | number | boolean | string[]>
  failed: boolean
}

export interface OtlpReceiver {
  url: string
  spans: ReceivedSpan[]
  requests: { headers: Headers; resource: Json; count: number }[]
  flaws: string[]
  /** Answers in place of taking the spans. */
  answer: ((request: Request) => Response | Promise<Response>) | undefined
  /** Of one trace, by their names. */
  named(trace: string): Map<string, ReceivedSpan>
  stop(): void
}

const members: Record<string, RegExp> = {
  traceId: /^(?!0+$)[\da-f]{32}$/,
  spanId: /^(?!0+$)[\da-f]{16}$/,
  startTimeUnixNano: /^\d{19}$/,
  endTimeUnixNano: /^\d{19}$/,
}
const known = new Set([
  ...Object.keys(members),
  ...['traceState', 'parentSpanId', 'name', 'kind', 'attributes', 'status'],
])

/** Reads spans, and notes what is wrong with them. */
function spanReader(flaws: string[]) {
  const spans: ReceivedSpan[] = []
  const byId = new Map<string, ReceivedSpan>()
  const demand = (isRight: boolean, flaw: string) => void (isRight || flaws.push(flaw))

  function read(value: Json, key: string) {
    const [[kind, inner] = [], ...more] = Object.entries(value)
    demand(more.length === 0, `${key} has several values`)
    if (kind === 'stringValue' && typeof inner === 'string') return inner
    if (kind === 'boolValue' && typeof inner === 'boolean') return inner
    if (kind === 'doubleValue' && typeof inner === 'number') return inner
    if (kind === 'intValue' && /^-?\d{1,19}$/.test(inner) && typeof inner === 'string') return BigInt(inner)
    if (kind === 'arrayValue') return inner.values.map((each: Json) => read(each, key)) as string[]
    flaws.push(`${key} is ${JSON.stringify(value)}`)
    return ''
  }

  function attributesOf(list: Json[], of: string) {
    const keys = list.map(({ key }) => key)
    demand(new Set(keys).size === keys.length, `${of} has an attribute twice`)
    demand(
      keys.every(key => /^[a-z][a-z0-9_.]*$/.test(key)),
      `${of} has ${keys.join()}`,
    )
    return Object.fromEntries(list.map(({ key, value }) => [key, read(value, key)]))
  }

  function take(span: Json) {
    for (const [name, pattern] of Object.entries(members))
      demand(typeof span[name] === 'string' && pattern.test(span[name]), `${name} is ${span[name]}`)
    for (const name of Object.keys(span)) demand(known.has(name), `spans have no ${name}`)
    const { parentSpanId: parent } = span
    demand(parent === undefined || members.spanId!.test(parent), `parentSpanId is ${parent}`)
    demand(typeof span.name === 'string' && span.name !== '', 'a span has no name')
    demand(Number.isInteger(span.kind) && span.kind >= 1 && span.kind <= 5, `kind is ${span.kind}`)
    demand([undefined, 2].includes(span.status?.code), `status is ${JSON.stringify(span.status)}`)
    const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)]
    demand(start <= end, `${span.name} ends before it starts`)
    demand(!byId.has(span.spanId), `${span.spanId} has come before`)
    const attributes = attributesOf(span.attributes, span.name)
    const failed = span.status?.code === 2
    demand(!failed || typeof attributes['error.type'] === 'string', `${span.name} has failed without error.type`)
    const { traceId: trace, spanId: id, traceState: state, name, kind } = span
    const received = { trace, id, parent, state, name, kind, start, end, attributes, failed }
    spans.push(received)
    byId.set(id, received)
  }

  return { spans, byId, demand, attributesOf, take }
}

export function otlpReceiver(): OtlpReceiver {
  const flaws: string[] = []
  const requests: OtlpReceiver['requests'] = []
  const { spans, byId, demand, attributesOf, take } = spanReader(flaws)

  /** Parents come with their children, before them or after. */
  function checkParents(from: number) {
    for (const child of spans.slice(from)) {
      const parent = child.parent === undefined ? undefined : byId.get(child.parent)
      if (!parent) demand(child.kind === 2, `${child.name} has no parent`)
      else {
        demand(parent.trace === child.trace, `${child.name} is of another trace than ${parent.name}`)
        demand(parent.start <= child.start && child.end <= parent.end, `${child.name} is not within ${parent.name}`)
      }
    }
  }

  const receiver: Omit<OtlpReceiver, 'url' | 'stop'> = {
    spans,
    requests,
    flaws,
    answer: undefined,
    named: trace => new Map(spans.filter(span => span.trace === trace).map(span => [span.name, span])),
  }

  async function receive(request: Request): Promise<Response> {
    if (receiver.answer) return receiver.answer(request)
    const { pathname } = new URL(request.url)
    demand(request.method === 'POST' && pathname === '/v1/traces', `${request.method} ${pathname}`)
    demand(request.headers.get('content-type') === 'application/json', 'the content type is not application/json')
    const body = (await request.json()) as Json
    demand(Object.keys(body).join() === 'resourceSpans', `the body has ${Object.keys(body)}`)
    for (const { resource, scopeSpans } of body.resourceSpans as Json[]) {
      const attributes = attributesOf(resource.attributes, 'the resource')
      demand(Boolean(attributes['service.name']), 'the resource has no service.name')
      for (const { scope, schemaUrl, spans: sent } of scopeSpans as Json[]) {
        demand(Boolean(scope.name && scope.version), 'the scope has no name')
        demand(/^https:\/\/opentelemetry\.io\/schemas\/\d+\.\d+\.\d+$/.test(schemaUrl), `schemaUrl is ${schemaUrl}`)
        const from = spans.length
        for (const span of sent as Json[]) take(span)
        checkParents(from)
        requests.push({ headers: request.headers, resource: attributes, count: sent.length })
      }
    }
    return Response.json({ partialSuccess: {} })
  }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: receive })
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${server.port}`,
    stop: () => void server.stop(true),
  })
}
