/** When a refusal means that a key, or the account behind it, is beyond hope: by what the upstream said itself. */
import { providerOf } from '../../../providers/index.ts'
import { option } from '../../options/index.ts'

export interface Refused {
  status: number
  error?: { message: string; type: string; code: string }
}

const codes = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const types = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/** What only tells that the request was not to the upstream's liking. */
const ofRequest = new Set([400, 405, 409, 413, 415, 422])
export const blamesRequest = ({ status }: Refused): boolean => ofRequest.has(status)

/** @param asked what was sent, for words that may be no more than its echo */
export function isFatal(refused: Refused, channel: { type: number }, asked: unknown): boolean {
  const { status, error } = refused
  if (status === 401 || (status === 403 && providerOf(channel.type)?.quirks.forbidden_is_fatal)) return true
  if (!error) return false
  return codes.has(error.code) || types.has(error.type) || saysPhrase(error.message, refused, asked)
}

/** One of the operator's phrases that cannot have come from the caller. */
function saysPhrase(message: string, refused: Refused, asked: unknown): boolean {
  const said = message.toLowerCase()
  // Where the request is blamed, its text is often quoted: there only a message that begins with the phrase is meant.
  const says = (phrase: string) => (blamesRequest(refused) ? said.startsWith(phrase) : said.includes(phrase))
  const phrases = option('AutomaticDisableKeywords').map(phrase => phrase.toLowerCase())
  const spoken = phrases.filter(phrase => phrase && says(phrase))
  if (!spoken.length) return false
  const letters = lettersIn(JSON.stringify(asked))
  return spoken.some(phrase => !mayComeFrom(letters, phrase))
}

/** Whether all the words of a phrase are among the letters, however they are written and wherever they stand. */
const mayComeFrom = (letters: string, phrase: string) =>
  phrase.split(/\s+/).every(word => letters.includes(lettersIn(word)))

const lettersIn = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
