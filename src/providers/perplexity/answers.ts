/**
 * Perplexity's responses as OpenAI has them: sources as annotations, thoughts apart, all tokens in the usage.
 * https://docs.perplexity.ai/api-reference/chat-completions-post (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { numberOf, objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import { marksIn } from '../../formats/openai-responses/search-results.ts'
import type { Json } from '../../pure/json.ts'
import { eachChoice, without } from '../kit/json-edits.ts'

export function readWhole(body: Json): Json {
  const read = eachChoice(body, choice => {
    const { message, ...others } = without(choice, 'delta')
    const { content, ...fields } = objectOf(message)
    if (typeof content !== 'string') return choice
    const { thought, text } = divided(content)
    const annotations = annotationsIn(text, body)
    return {
      ...others,
      message: {
        ...fields,
        content: text,
        ...(thought && { reasoning_content: thought }),
        ...(annotations.length && { annotations }),
      },
    }
  })
  return withAllTokens(read)
}

/** Beside its delta, an event repeats the whole message so far. The last one names the sources. */
export function readEvent(event: Json): Json {
  const read = eachChoice(event, choice => {
    const { message, ...others } = choice
    const content = textOf(objectOf(message).content)
    const delta = content ? deltaIn(content, objectOf(choice.delta)) : objectOf(choice.delta)
    const annotations = choice.finish_reason ? annotationsIn(divided(content).text, event) : []
    return { ...others, delta: { ...delta, ...(annotations.length && { annotations }) } }
  })
  return withAllTokens(read)
}

function deltaIn(whole: string, { content, ...others }: Json): Json {
  if (typeof content !== 'string' || !whole.endsWith(content)) return { content, ...others }
  const before = divided(whole.slice(0, whole.length - content.length))
  const after = divided(whole)
  const thought = after.thought.slice(before.thought.length)
  return { ...others, content: after.text.slice(before.text.length), ...(thought && { reasoning_content: thought }) }
}

const [START, END] = ['<think>', '</think>']

/** Divides a text that may begin with thoughts; what may be a part of a tag at its end is in neither. */
function divided(content: string): { thought: string; text: string } {
  const begun = content.trimStart()
  if (START.startsWith(begun)) return { thought: '', text: '' }
  if (!begun.startsWith(START)) return { thought: '', text: content }
  const inner = begun.slice(START.length).trimStart()
  const end = inner.indexOf(END)
  if (end < 0) return { thought: withoutTag(inner), text: '' }
  return { thought: inner.slice(0, end), text: inner.slice(end + END.length).trimStart() }
}

function withoutTag(text: string): string {
  const at = text.lastIndexOf('<')
  return at >= 0 && END.startsWith(text.slice(at)) ? text.slice(0, at) : text
}

/** Marks such as `[2]` cite the second source. A text without marks cites all of them. */
function annotationsIn(text: string, { search_results, citations }: Json): Json[] {
  const found = objectsOf(search_results)
  const sources = found.length ? found : Array.isArray(citations) ? citations.map(url => ({ url })) : []
  const marks = marksIn(text).flatMap(({ number, start, end }) => {
    const source = sources[number - 1]
    return source ? [annotationOf(source, start, end)] : []
  })
  return marks.length ? marks : sources.map(source => annotationOf(source, 0, text.length))
}

const annotationOf = ({ url, title }: Json, start_index: number, end_index: number): Json => ({
  type: 'url_citation',
  url_citation: { url: textOf(url), title: textOf(title), start_index, end_index },
})

/** A deep research reports what it has read and thought beside the other tokens. https://docs.perplexity.ai/getting-started/pricing (read 2026-11) */
function withAllTokens(body: Json): Json {
  const { usage, model } = body
  if (!isObject(usage) || !/deep-research/.test(textOf(model))) return body
  const reasoning_tokens = numberOf(usage.reasoning_tokens) ?? 0
  const prompt_tokens = (numberOf(usage.prompt_tokens) ?? 0) + (numberOf(usage.citation_tokens) ?? 0)
  const completion_tokens = (numberOf(usage.completion_tokens) ?? 0) + reasoning_tokens
  return {
    ...body,
    usage: {
      ...usage,
      prompt_tokens,
      completion_tokens,
      total_tokens: prompt_tokens + completion_tokens,
      completion_tokens_details: { reasoning_tokens },
    },
  }
}
