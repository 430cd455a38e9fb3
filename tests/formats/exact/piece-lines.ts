/** Streams whose texts and arguments come in pieces, as every client gets them: stop sequences across pieces, each kind of tool. */
import type { ResponsePart, StreamEvent } from '../../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { isFlaw } from '../../../src/formats/json/checks.ts'
import { eventWriter, translateResponse } from '../../../src/formats/translate/translate.ts'
import { labelFor, requestOf } from '../support.ts'
import { clientBodies } from './lines.ts'

type Client = (typeof formats)[number]

const texts: Record<string, readonly string[]> = {
  'in one': ['Fo END ur'],
  across: ['Fo E', 'N', 'D ur'],
  'nearly across': ['Fo E', 'N', ' ur'],
  'at the end': ['Four E', 'ND'],
  unfinished: ['Four EN'],
  second: ['Four Ov', 'er. more'],
}
const inputs: Record<string, readonly string[]> = {
  text: ['{"inp', 'ut":"a\\n', 'b"}'],
  query: ['{"query":', '"q"}'],
  none: [],
  broken: ['{"input":'],
}

function* eventsOf(
  opening: ResponsePart,
  pieces: readonly string[],
  field: 'text' | 'arguments',
): Generator<StreamEvent> {
  yield { kind: 'start', id: 'up_1', model: 'm' }
  yield { kind: 'open', choice: 0, part: 0, opening }
  for (const piece of pieces) yield { kind: 'delta', choice: 0, part: 0, delta: { [field]: piece } as { text: string } }
  yield { kind: 'close', choice: 0, part: 0 }
  yield { kind: 'finish', choice: 0, finish: { reason: field === 'text' ? 'stop' : 'tool_calls' } }
  yield { kind: 'end' }
}

function stopLines(client: Client): string[] {
  const upstream = chatFormats['openai-responses']
  const pair = { client: chatFormats[client], upstream, label: labelFor({ ...requestOf('openai-chat', 'stop') }) }
  return Object.entries(texts).flatMap(([title, pieces]) => {
    const text = { kind: 'text', text: pieces.join('') } as const
    const answer = {
      id: 'up_1',
      model: 'm',
      doubts: [],
      choices: [{ parts: [text], finish: { reason: 'stop' } as const }],
    }
    const write = eventWriter(pair)
    const told = [...eventsOf({ kind: 'text', text: '' }, pieces, 'text')].map(write)
    return [
      `stop ${title}: ${JSON.stringify(translateResponse(pair, answer))}`,
      `stop ${title} streamed: ${JSON.stringify(told)}`,
    ]
  })
}

function toolLines(client: Client): string[] {
  const { requests, asked } = clientBodies[client]
  const { model, messages, input, contents, max_tokens, tools } = requests.settings!
  const request = chatFormats[client].readRequest({ model, messages, input, contents, max_tokens, tools }, asked)
  if (isFlaw(request)) throw new Error(request.code)
  const pair = { client: chatFormats[client], upstream: chatFormats.gemini, label: labelFor(request) }
  const names = request.tools.flatMap(tool => (tool.kind === 'function' ? tool.name : []))
  return [...names, 'unknown'].flatMap(name =>
    Object.entries(inputs).flatMap(([title, pieces]) => {
      const call = { kind: 'tool_call', id: 'call_1', name, arguments: pieces.join('') } as const
      const answer = {
        id: 'up_1',
        model: 'm',
        doubts: [],
        choices: [{ parts: [call], finish: { reason: 'tool_calls' } as const }],
      }
      const write = eventWriter(pair)
      const told = [...eventsOf({ ...call, arguments: '' }, pieces, 'arguments')].map(write)
      return [
        `${name} ${title}: ${JSON.stringify(translateResponse(pair, answer))}`,
        `${name} ${title} streamed: ${JSON.stringify(told)}`,
      ]
    }),
  )
}

/** By the names of their files. */
export const pieceLists: Record<string, () => string[]> = Object.fromEntries(
  formats.map(client => [`${client} pieces`, () => [...stopLines(client), ...toolLines(client)]]),
)
