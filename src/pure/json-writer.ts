/** Writes JSON in steps of bounded size, for values that `JSON.stringify` would write for too long at once. */

/** Characters of one step. */
const STEP = 262_144

const { isRawJSON } = JSON as unknown as { isRawJSON(value: object): value is { rawJSON: string } }

/** A list or object that is being written. */
interface Frame {
  value: unknown
  /** Names of an object's values; undefined for a list. */
  keys: string[] | undefined
  next: number
  is_empty: boolean
}

/** @returns the text of `JSON.stringify` in pieces of about 256 K characters, without half a character at an end */
export function* writeJson(value: unknown): Generator<string> {
  const stack: Frame[] = []
  let text = ''
  let given = value
  let has_value = true
  for (;;) {
    if (has_value) {
      has_value = false
      if (typeof given === 'string' && given.length > STEP) {
        yield text
        yield* writeText(given)
        text = ''
      } else if (typeof given !== 'object' || given === null) text += JSON.stringify(given) ?? 'null'
      else if (isRawJSON(given)) text += given.rawJSON
      else {
        const is_list = Array.isArray(given)
        stack.push({ value: given, keys: is_list ? undefined : Object.keys(given), next: 0, is_empty: true })
        text += is_list ? '[' : '{'
      }
      if (text.length > STEP) {
        yield text
        text = ''
      }
    }
    const frame = stack.at(-1)
    if (!frame) break
    const { keys } = frame
    if (frame.next === (keys ?? (frame.value as unknown[])).length) {
      stack.pop()
      text += keys ? '}' : ']'
      continue
    }
    const key = keys ? keys[frame.next++]! : frame.next++
    given = (frame.value as Record<string | number, unknown>)[key]
    if (keys && given === undefined) continue
    if (!frame.is_empty) text += ','
    frame.is_empty = false
    if (keys) text += `${JSON.stringify(key)}:`
    has_value = true
  }
  yield text
}

function* writeText(text: string): Generator<string> {
  yield '"'
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + STEP, text.length)
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code < 0xdc00
