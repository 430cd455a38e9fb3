/** Every caller's format with every upstream's: each cell is checked against what the other side itself would have said. */
import assert from 'node:assert/strict'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ChatRequest, ChatResponse, ClientFormatName, Part } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { translateRequest, translateResponse } from '../../src/formats/translate/translate.ts'
import { effortOf } from '../../src/models/effort.ts'
import type { Json } from '../../src/pure/json.ts'
import { eventsOf, pairOf, requestOf, streamOf, toldBy, wired } from './support.ts'
import { wires } from './wire/index.ts'
import { eventsOfText, type Feature, features } from './wire/sse.ts'

export const rows = [...features, 'error'] as const
export type Row = (typeof rows)[number]
export const modes = ['whole', 'streamed'] as const
export type Mode = (typeof modes)[number]

/** @throws where the cell does not hold */
export function check(caller: ClientFormatName, upstream: ClientFormatName, row: Row, mode: Mode) {
  if (row === 'error') return mode === 'whole' ? checkError(caller, upstream) : checkStreamedError(caller, upstream)
  checkRequest(caller, upstream, row)
  if (mode === 'whole') checkAnswer(caller, upstream, row)
  else checkStream(caller, upstream, row)
}

function checkRequest(caller: ClientFormatName, upstream: ClientFormatName, feature: Feature) {
  const { model } = requestOf(upstream, feature)
  const edit = { model, stream_usage: true, system_prompt: '' }
  const body = translateRequest(pairOf(caller, upstream, feature), edit) as Json
  const seen = chatFormats[upstream].readRequest(wired(body), { model, stream: false }) as ChatRequest
  const both = [caller, upstream]
  assert.deepEqual(meaningOf(seen, both), meaningOf(requestOf(upstream, feature), both))
}

/** What a request says apart from names and from what one of the two formats has no word for. */
export function meaningOf({ extra: _, ...request }: ChatRequest, both: ClientFormatName[]) {
  const unsaid = (...words: ClientFormatName[]) => words.some(format => both.includes(format))
  return wired({
    ...request,
    messages: withoutIds(request.messages),
    tools: request.tools.map(tool => ({
      ...tool,
      strict: undefined,
      parameters:
        'parameters' in tool && tool.parameters?.required ? { ...tool.parameters, additionalProperties: 0 } : 0,
    })),
    reasoning: request.reasoning && { effort: effortOf(request.reasoning), show: request.reasoning.show },
    output: request.output && { ...request.output, schema: 0, name: 0, strict: 0 },
    stop: unsaid('openai-responses') ? [] : request.stop,
    user: unsaid('gemini') ? undefined : request.user,
    wants_usage: true,
  })
}

const withoutIds = (turns: ChatRequest['messages']) => {
  const calls = turns.flatMap(({ parts }) => parts.filter(part => part.kind === 'tool_call').map(({ id }) => id))
  const named = (part: Part) => ({
    ...part,
    ...('id' in part && { id: calls.indexOf(part.id ?? '') }),
    ...(part.kind === 'tool_result' && { name: undefined }),
    ...(part.kind === 'image' && { detail: undefined }),
  })
  // Where results may stand in turns of their own, they are as good as in one.
  return turns.reduce<{ role: string; parts: unknown[] }[]>((joined, { role, parts }) => {
    const last = joined.at(-1)
    if (last?.role === role) last.parts.push(...parts.map(named))
    else joined.push({ role, parts: parts.map(named) })
    return joined
  }, [])
}

function checkAnswer(caller: ClientFormatName, upstream: ClientFormatName, feature: Feature) {
  const answer = chatFormats[upstream].readResponse(wires[upstream].answers[feature])!
  const body = translateResponse(pairOf(caller, upstream, feature), answer)
  assert.deepEqual(told(chatFormats[caller].readResponse(wired(body))!, upstream), expected(caller, upstream, feature))
}

function checkStream(caller: ClientFormatName, upstream: ClientFormatName, feature: Feature) {
  const stream = streamOf(caller, upstream, feature)
  const events = eventsOf(chatFormats[caller], toldBy(stream, wires[upstream].streams[feature]))
  assert(stream.finished)
  assert.equal(events.at(-1)?.kind, 'end')
  assert.deepEqual(told(assemble(events), upstream), expected(caller, upstream, feature))
}

export const expected = (caller: ClientFormatName, upstream: ClientFormatName, feature: Feature) =>
  told(chatFormats[caller].readResponse(wires[caller].answers[feature])!, upstream)

/** What an answer says apart from names; of a signature, that there is one; of a stop, only Anthropic says at what. */
export function told({ choices, usage }: ChatResponse, upstream: ClientFormatName) {
  const met = upstream === 'anthropic' ? [] : ['stop_sequence']
  return wired({
    usage,
    choices: choices.map(({ parts, finish }) => ({
      parts: parts.map(part => ({
        ...part,
        ...('signature' in part && { signature: part.signature ? true : undefined }),
        ...(part.kind === 'thinking' && { id: undefined }),
      })),
      reason: met.includes(finish.reason) ? 'stop' : finish.reason,
    })),
  })
}

function checkError(caller: ClientFormatName, upstream: ClientFormatName) {
  const { body, status } = wires[upstream].errors
  const failure = chatFormats[upstream].readError(body, status)!
  assert.equal(failure.message, 'Slow down')
  const written = chatFormats[caller].writeError(failure)
  assert.equal(chatFormats[caller].readError(written, status)?.status, 429)
  assert.deepEqual(withoutCode(written), withoutCode(wires[caller].errors.body))
}

/** Only OpenAI has codes beside its types. */
const withoutCode = (body: Json): Json => wired({ ...body, error: { ...(body.error as Json), code: undefined } })

function checkStreamedError(caller: ClientFormatName, upstream: ClientFormatName) {
  const stream = streamOf(caller, upstream, 'text')
  const kinds = eventsOfText(wires[upstream].errors.stream).map(data => stream.read(data))
  assert.equal(kinds.at(-1), 'error')
  assert.equal(stream.error?.status, 429)
  const text = stream.takeRewritten() + stream.fail(stream.error!)
  const last = eventsOf(chatFormats[caller], text).at(-1)
  assert(last?.kind === 'error')
  assert.deepEqual([last.failure.status, last.failure.message], [429, 'Slow down'])
}
