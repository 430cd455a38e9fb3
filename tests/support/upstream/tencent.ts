/** Checks signatures of Tencent Cloud as its servers do, from the names of the headers that are signed. */
import { createHash, createHmac } from 'node:crypto'
import type { Received } from './http-server.ts'
import type { Json, Rule } from './strict-provider.ts'
import { knowing, needing } from './strict-provider.ts'

/** Seconds by which a timestamp may be off. */
const SKEW_MAX = 300

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** What is wrong with the signature. @param key `AppId|SecretId|SecretKey` */
export function tc3ViolationOf({ method, target, headers, bytes }: Received, key: string): string | undefined {
  const form =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/([^/]+)\/hunyuan\/tc3_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/
  const [, id, date, names = '', signature] = form.exec(headers.authorization ?? '') ?? []
  const [, secret_id, secret_key] = key.split('|')
  const timestamp = headers['x-tc-timestamp'] ?? ''
  const at = new Date(Number(timestamp) * 1000)
  if (id !== secret_id) return 'AuthFailure.SecretIdNotFound'
  if (Math.abs(at.getTime() - Date.now()) > SKEW_MAX * 1000) return 'AuthFailure.SignatureExpire'
  if (date !== at.toISOString().slice(0, 10)) return 'AuthFailure.SignatureFailure: date'
  if (!/^content-type;host\b/.test(names)) return `signed headers are ${names}`
  if (headers['content-type'] !== 'application/json') return `content-type is ${headers['content-type']}`
  // The official client signs the host without its port.
  const hosts = [headers.host!, headers.host!.replace(/:\d+$/, '')]
  const isRight = hosts.some(host => signature === signatureFor({ ...headers, host }))
  return isRight ? undefined : 'AuthFailure.SignatureFailure'

  function signatureFor(own: Record<string, string>): string {
    const lines = names
      .split(';')
      .map(name => `${name}:${(name === 'x-tc-action' ? own[name]!.toLowerCase() : own[name])!}\n`)
    const [path, query = ''] = target.split('?')
    const canonical = [method, path, query, lines.join(''), names, sha256(bytes)].join('\n')
    const text = ['TC3-HMAC-SHA256', timestamp, `${date}/hunyuan/tc3_request`, sha256(canonical)].join('\n')
    const signing = [date!, 'hunyuan', 'tc3_request'].reduce<string | Buffer>(hmac, `TC3${secret_key}`)
    return hmac(signing, text).toString('hex')
  }
}

const chatFields = [
  ...['Model', 'Messages', 'Stream', 'StreamModeration', 'TopP', 'Temperature', 'EnableEnhancement', 'Tools'],
  ...['ToolChoice', 'CustomTool', 'SearchInfo', 'Citation', 'Seed', 'Stop', 'EnableThinking'],
]
const messageFields = ['Role', 'Content', 'Contents', 'ToolCallId', 'ToolCalls']

/** What ChatCompletions refuses. */
export const aTencentChat: Rule = body =>
  needing('Model', 'Messages')(body) ?? knowing(...chatFields)(body) ?? messagesOf(body)

function messagesOf({ Messages, Tools = [], ToolChoice, CustomTool, Temperature, TopP }: Json): string | undefined {
  const roles: string[] = Messages.map(({ Role }: Json) => Role)
  const talk = roles[0] === 'system' ? roles.slice(1) : roles
  if (talk[0] !== 'user' || !['user', 'tool'].includes(talk.at(-1)!)) return `roles are ${roles}`
  if (talk.some((role, at) => role === talk[at + 1] && role !== 'tool') || talk.includes('system'))
    return `roles are ${roles}`
  if (Messages.length > 40) return 'more than 40 messages'
  if (Temperature > 2 || TopP > 1) return 'Temperature or TopP is out of range'
  if ((ToolChoice === 'custom') !== (CustomTool !== undefined)) return 'CustomTool belongs to ToolChoice custom'
  if (Tools.some(({ Function: { Parameters } }: Json) => typeof Parameters !== 'string')) return 'Parameters is no text'
  for (const message of Messages) {
    const violation = knowing(...messageFields)(message)
    if (violation) return violation
    if ((message.Content === undefined) === (message.Contents === undefined)) return 'Content or Contents'
    if (message.Content === '' && !message.ToolCalls) return 'no Content'
  }
}

/** What GetEmbedding refuses. */
export const aTencentEmbedding: Rule = body => {
  if (typeof body.Input === 'string') return knowing('Input')(body)
  return Array.isArray(body.InputList) && body.InputList.length <= 50 ? knowing('InputList')(body) : 'no Input'
}
