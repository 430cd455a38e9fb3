/** Sends a random conversation from each client's format to each upstream's, and looks at what arrives. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { ChatRequest, ClientFormatName, Owner } from '../../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { isFlaw } from '../../../src/formats/json/checks.ts'
import { translateRequest } from '../../../src/formats/translate/translate.ts'
import type { Json } from '../../../src/pure/json.ts'
import { type StrictUpstream, strictUpstreams } from '../rules/index.ts'
import { labelFor, wired } from '../support.ts'
import { clientBodies } from './client-bodies.ts'
import { type Conversation, conversations, type Item } from './conversation.ts'
import { idOf, signatureOf, thoughtOf } from './item-texts.ts'

/** Formats with a place for everything of a conversation; the others have only texts, or no tools. */
const whole = new Set<string>([...formats, 'bedrock', 'cohere', 'ali', 'tencent'])

/** Why the other formats refuse what they have no place for. */
const refusals = new Set(['format.no_tools', 'format.no_image'])

/** Sends random conversations of random clients to every upstream. @throws with seed and path of the first that fails */
export function checkHistories(numRuns: number, seed: number) {
  const histories = fc.property(conversations, fc.constantFrom(...formats), checkHistory)
  fc.assert(histories, { numRuns, seed, includeErrorInReport: true })
}

/** @throws where a maker refuses what it is sent, or something is lost */
function checkHistory(conversation: Conversation, client: ClientFormatName) {
  if (!conversation.items.length) return
  const body = wired(clientBodies[client](conversation))
  const request = readFor(client, body)
  for (const upstream of strictUpstreams) {
    if (client !== upstream.format.name) checkRoute(conversation, { client, body, request }, upstream)
  }
}

interface Asked {
  client: ClientFormatName
  body: Json
  request: ChatRequest
}

function checkRoute(conversation: Conversation, { client, body, request }: Asked, upstream: StrictUpstream) {
  const sent = translated(client, request, upstream)
  try {
    if (isFlaw(sent)) {
      assert(!whole.has(upstream.format.name) && refusals.has(sent.code), sent.code)
      return
    }
    const written = wired(sent) as Json
    assert.equal(upstream.flawOf(written), undefined)
    if (whole.has(upstream.format.name)) checkContent(conversation, client, upstream, written)
  } catch (error) {
    const bodies = [body, sent].map(json => JSON.stringify(json, null, 1)).join('\n')
    throw new Error(`${client} → ${upstream.title}: ${(error as Error).message}\n${bodies}`, { cause: error })
  }
}

/** @throws for a body that the client's own format refuses */
export function readFor(client: ClientFormatName, body: Json): ChatRequest {
  const request = chatFormats[client].readRequest(body, { model: 'm', stream: false })
  assert(!isFlaw(request), JSON.stringify(request))
  return request
}

/** @returns what the upstream is sent */
export function translated(client: ClientFormatName, request: ChatRequest, { format, model }: StrictUpstream) {
  const route = { client: chatFormats[client], upstream: format, label: { ...labelFor(request), request } }
  return translateRequest(route, { model, stream_usage: true, system_prompt: '' })
}

const countOf = (text: string, mark: string) => text.split(mark).length - 1

/** Every text, call and result arrives once, and every thought that the upstream has signed itself. */
function checkContent(conversation: Conversation, client: ClientFormatName, upstream: StrictUpstream, body: Json) {
  const { items, is_bent } = conversation
  const text = JSON.stringify(body)
  const spoken = items.filter(({ kind, blank }) => blank === undefined && kind !== 'thought' && has(client, kind))
  for (const { kind, mark } of spoken) assert.equal(countOf(text, mark), 1, `${kind} ${mark}`)
  const ordered = (kind: Item['kind']) => {
    const places = spoken.filter(item => item.kind === kind).map(({ mark }) => text.indexOf(mark))
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      `the order of each ${kind}`,
    )
  }
  for (const kind of ['user', 'assistant', 'call', ...(is_bent ? [] : ['result' as const])] as const) ordered(kind)
  checkPairs(items, body)
  checkThoughts(conversation, client, upstream, text)
}

const has = (client: ClientFormatName, kind: Item['kind']) =>
  kind !== 'image' && kind !== 'hosted' && (kind !== 'system' || client !== 'gemini')

const callIds = ['id', 'call_id', 'toolUseId', 'Id']
const resultIds = ['tool_call_id', 'call_id', 'tool_use_id', 'toolUseId', 'id', 'ToolCallId']

/** A result that is one of a call arrives under the id of a call that had its own. */
function checkPairs(items: Item[], body: Json) {
  const objects = objectsIn(body)
  const written = (test: (object: Json) => boolean) =>
    objects.filter(test).map(object => [object, JSON.stringify(object)] as const)
  const [calls, results] = [written(isCall), written(isResult)]
  const idFor = ({ mark }: Item, list: typeof calls, names: string[]) => {
    const [found] = list.findLast(([, text]) => text.includes(mark)) ?? []
    const name = found && names.find(name => typeof found[name] === 'string')
    return name && String(found[name])
  }
  const named = (kind: Item['kind']) => items.filter(item => item.kind === kind && item.blank === undefined)
  const ids = named('call').map(item => ({ item, id: idFor(item, calls, callIds) }))
  for (const result of named('result')) {
    const id = idFor(result, results, resultIds)
    const call = ids.find(call => call.id !== undefined && call.id === id)
    if (call) assert.equal(idOf(call.item), idOf(result), `result ${result.mark} of ${call.item.mark}`)
  }
}

const isCall = (object: Json) =>
  object.input !== undefined ||
  object.arguments !== undefined ||
  object.function !== undefined ||
  'args' in object ||
  'Function' in object
const isResult = (object: Json) =>
  object.role === 'tool' ||
  object.Role === 'tool' ||
  /tool_result|_output$/.test(String(object.type)) ||
  'response' in object ||
  ('toolUseId' in object && 'content' in object)

function objectsIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (typeof value !== 'object' || value === null) return []
  return [value as Json, ...Object.values(value).flatMap(objectsIn)]
}

/** Which thoughts of a client's history the upstream can open. */
function checkThoughts(
  { items, is_bent }: Conversation,
  client: ClientFormatName,
  { format }: StrictUpstream,
  text: string,
) {
  const owner: Owner | undefined = format.name === 'openai-chat' ? undefined : format.limits.owner
  for (const [index, item] of items.entries()) {
    const signature = item.kind === 'thought' ? signatureOf(item) : undefined
    if (!signature) continue
    const isLost = client === 'openai-chat' && signature.owner === 'bedrock'
    const isOwn = signature.owner === owner && !isLost
    const count = countOf(text, `"${signature.value}"`)
    if (!isOwn) assert.equal(count, 0, `a thought of ${signature.owner}`)
    // A signature of Gemini without a thought is that of the call that follows it.
    else if (!is_bent && (item.owner !== 'gemini' || item.blank === undefined || items[index + 1]?.kind === 'call'))
      assert.equal(count, 1, `the thought ${item.mark} of ${signature.owner}`)
    if (isOwn && count && !is_bent && item.blank === undefined && !item.redacted)
      assert(text.includes(JSON.stringify(thoughtOf(item)).slice(1, -1)), `the text of ${item.mark}`)
  }
}
