/** Google's service accounts, as the JSON document that the cloud console gives out, and keys of express mode. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { isObject } from '../../formats/json/checks.ts'
import { textOf } from '../../formats/json/lenient-json.ts'
import { parsedOrUndefined } from '../../pure/json.ts'
import { isDocument } from '../kit/json-keys.ts'
import type { KeyFlaw } from '../kit/key-shape.ts'

/** https://cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode/overview (read 2026-11) */
export const EXPRESS_KEY = /^(?:AIza|AQ\.)[\w.-]{4,}$/

export const isExpress = (key: string): boolean => !isDocument(key)

export interface ServiceAccount {
  project: string
  email: string
  key_id: string
  private_key: KeyObject
  /** Empty when the document names none. */
  token_uri: string
}

/** Parsing a private key takes longer than the rest of a request. */
const memo = new Map<string, ServiceAccount | KeyFlaw>()
const MEMO_MAX = 200

/** @returns a KeyFlaw for a document that is no service account */
export function accountOf(key: string): ServiceAccount | KeyFlaw {
  const known = memo.get(key)
  if (known) return known
  if (memo.size >= MEMO_MAX) memo.clear()
  const account = readAccount(key)
  memo.set(key, account)
  return account
}

export function accountFlaw(key: string): KeyFlaw | undefined {
  if (isExpress(key)) return undefined
  const account = accountOf(key)
  return typeof account === 'string' ? account : undefined
}

function readAccount(key: string): ServiceAccount | KeyFlaw {
  const document = parsedOrUndefined(key)
  if (!isObject(document)) return 'key_json'
  const text = (name: string) => textOf(document[name]).trim()
  const [project, email, pem] = [text('project_id'), text('client_email'), text('private_key')]
  if (!project || !email || !pem) return 'key_json'
  const private_key = privateKeyOf(pem)
  return private_key
    ? { project, email, key_id: text('private_key_id'), private_key, token_uri: text('token_uri') }
    : 'key_private_key'
}

/** A document that was escaped twice has `\n` in place of line ends. */
function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem.replace(/\\r|\r/g, '').replaceAll('\\n', '\n'))
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}
