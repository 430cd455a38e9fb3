/** Decides from an upstream's error whether a key, or its account, is permanently refused. */
import { providerOf } from '../../../providers/index.ts'
import { option } from '../../options/index.ts'

/** An upstream's error response. */
export interface RefusedAttempt {
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
  // Of Midjourney.
  'no_account',
])

/** Statuses that blame the request. */
const ofRequest = new Set([400, 405, 409, 413, 415, 422])
export const blamesRequest = ({ status }: RefusedAttempt): boolean => ofRequest.has(status)

/** @param sent the request body: a phrase in the error may only quote it */
export function isFatal(refused: RefusedAttempt, channel: { type: number }, sent: unknown): boolean {
  const { status, error } = refused
  if (status === 401 || (status === 403 && providerOf(channel.type)?.quirks.forbidden_is_fatal)) return true
  if (!error) return false
  return codes.has(error.code) || types.has(error.type) || hasFatalPhrase(error.message, refused, sent)
}

/** Whether the message has a phrase of `AutomaticDisableKeywords` that is no quote of the request. */
function hasFatalPhrase(message: string, refused: RefusedAttempt, sent: unknown): boolean {
  const text = message.toLowerCase()
  // An error that blames the request often quotes it: there the phrase must stand at the start.
  const matches = (phrase: string) => (blamesRequest(refused) ? text.startsWith(phrase) : text.includes(phrase))
  const phrases = option('AutomaticDisableKeywords').map(phrase => phrase.toLowerCase())
  const matching = phrases.filter(phrase => phrase && matches(phrase))
  if (!matching.length) return false
  const letters = lettersIn(JSON.stringify(sent))
  return matching.some(phrase => !mayQuote(letters, phrase))
}

/** Whether every word of a phrase occurs in the request, in any case, form and place. */
const mayQuote = (letters: string, phrase: string) =>
  phrase.split(/\s+/).every(word => letters.includes(lettersIn(word)))

const lettersIn = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
