/** Refuses prompts that contain one of the operator's sensitive words or patterns. */

import { PATTERN_PREFIX } from '../../contracts/option.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { option } from '../../domain/options/index.ts'
import { textsIn } from '../../formats/json/texts.ts'
import { log } from '../../process/log.ts'
import { nextTurn } from '../../process/next-turn.ts'
import { WordFinder } from '../../pure/aho-corasick.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { RegexSet } from '../../pure/regex-set.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'

/** Characters searched before other calls run. */
const SLICE = 131_072

/** @throws Refusal 400 */
export function checkSensitiveWords(
  call: Pick<ReadCall, 'body' | 'request_id'>,
  { user, group }: ApiCaller,
): Awaitable<void> {
  if (!option('CheckSensitiveEnabled') || !option('CheckSensitiveOnPromptEnabled')) return
  if (option('global.safe_check_exempt_enabled') && group === option('global.safe_check_exempt_group')) return
  return chain(wordIn(textsIn(call.body)), word => {
    if (word === undefined) return
    log.info('sensitive word in a prompt', { request_id: call.request_id, user_id: user.id, word })
    throw new Refusal('relay.sensitive_words_detected', {}, 400)
  })
}

function wordIn(texts: string[]): Awaitable<string | undefined> {
  const known = finders()
  if (texts.reduce((length, text) => length + text.length, 0) > SLICE) return wordInSteps(texts, known)
  for (const text of texts) {
    const found = known.words?.find(text.toLowerCase()) ?? known.patterns?.find(text)
    if (found !== undefined) return found
  }
}

async function wordInSteps(texts: string[], { words, patterns }: Finders): Promise<string | undefined> {
  let since = 0
  for (const text of texts) {
    for (const slice of words ? slices(text, words.longest) : []) {
      const found = words!.find(slice.toLowerCase())
      if (found !== undefined) return found
      since += slice.length
      if (since >= SLICE) since = await yieldToOthers()
    }
    for (const slice of patterns ? slices(text, PATTERN_REACH, wordEnd) : []) {
      const found = patterns!.find(slice)
      if (found !== undefined) return found
      since += slice.length
      if (since >= SLICE) since = await yieldToOthers()
    }
  }
}

/** Length of the longest match of a pattern that is found across two slices. */
const PATTERN_REACH = 4096

type Cut = (text: string, at: number) => number
const anywhere: Cut = (_, at) => at

/** Slices of a long text that overlap by `longest` characters, so that each match lies whole in one slice. */
function* slices(text: string, longest: number, cut = anywhere): Generator<string> {
  for (let from = 0; from < text.length; from += SLICE)
    yield text.slice(from && cut(text, from), cut(text, from + SLICE + longest))
}

const WORD_MAX = 256

/** Cuts between words, so that a pattern does not match a part of a word. */
function wordEnd(text: string, at: number): number {
  const end = text.slice(at, at + WORD_MAX).search(/\s/)
  return end < 0 ? at : at + end
}

async function yieldToOthers(): Promise<0> {
  await nextTurn()
  return 0
}

interface Finders {
  list: string[]
  words?: WordFinder
  patterns?: RegexSet
}

const isPattern = (entry: string) => entry.startsWith(PATTERN_PREFIX)

let cached: Finders = { list: [] }

function finders(): Finders {
  const list = option('SensitiveWords')
  if (list === cached.list) return cached
  const patterns = list.filter(isPattern).map(entry => entry.slice(PATTERN_PREFIX.length))
  const words = list.filter(entry => !isPattern(entry))
  cached = {
    list,
    words: words.length ? new WordFinder(words) : undefined,
    patterns: patterns.length ? new RegexSet(patterns) : undefined,
  }
  return cached
}
