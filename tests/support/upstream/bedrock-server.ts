/** A Bedrock that authorizes and checks requests as AWS does, and answers as a test says. */
import { afterAll } from 'bun:test'
import { unauthorized } from './aws-authorization.ts'
import { awsFrame } from './aws-frame.ts'
import { aConverse, anInvoke } from './bedrock-rules.ts'
import { listen, type Received, type ScriptedAnswer } from './http-server.ts'
import type { ScriptedResponse } from './strict-provider.ts'

export const BEDROCK_KEY = 'AKIDEXAMPLE00000000|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1'

/** A body, frames, or the bytes of frames with the byte at which they are parted. */
interface Answer extends Pick<ScriptedResponse, 'body' | 'frames'> {
  stream?: Buffer
  cut?: number
}

export interface BedrockServer {
  url: string
  /** Milliseconds by which its clock is ahead. */
  ahead_ms: number
  answer: Answer
  received: Received[]
}

export async function bedrockServer(key = BEDROCK_KEY): Promise<BedrockServer> {
  const state: BedrockServer = { url: '', ahead_ms: 0, answer: { body: {} }, received: [] }
  const listening = await listen(async (received, answer) => {
    state.received.push(received)
    const hosts = [received.headers.host!, `bedrock-runtime.${key.split('|').at(2) ?? key.split('|')[1]}.amazonaws.com`]
    const refused = await unauthorized(received, { key, hosts, now_ms: Date.now() + state.ahead_ms })
    const flaw = refused ? undefined : flawOf(received)
    if (refused) return fail(answer, 403, refused.type, refused.message)
    if (flaw) return fail(answer, 400, 'ValidationException', flaw)
    return say(answer, state.answer)
  })
  afterAll(() => listening.stop())
  state.url = `http://127.0.0.1:${listening.port}`
  return state
}

/** Anthropic's client leaves the colon of an id as it is. */
const PATH = /^\/model\/[\w.:%-]+\/(converse|converse-stream|invoke|invoke-with-response-stream)$/

function flawOf({ target, body }: Received): string | undefined {
  const [, deed] = PATH.exec(target) ?? []
  if (!deed) return `no such operation: ${target}`
  const rules = deed.startsWith('converse') ? aConverse : anInvoke
  return rules.map(rule => rule(JSON.parse(body))).find(Boolean)
}

const fail = (answer: ScriptedAnswer, status: number, type: string, message: string) =>
  answer.json({ message }, status, { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` })

async function say(answer: ScriptedAnswer, { body, frames, stream, cut }: Answer) {
  if (body) return answer.json(body)
  await answer.head(200, { 'content-type': 'application/vnd.amazon.eventstream' }, 'chunked')
  if (cut !== undefined) answer.cutAt(cut)
  await answer.write(stream ?? Buffer.concat(frames!.map(awsFrame)))
  await answer.end()
}
