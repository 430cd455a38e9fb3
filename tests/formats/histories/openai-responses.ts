/** Random conversations as clients of OpenAI Responses send them. */
import type { Json } from '../../../src/pure/json.ts'
import { citySchema, picture } from '../wire/sse.ts'
import type { Conversation, Item } from './conversation.ts'
import { argumentsOf, idOf, nameOf, textOf, thoughtOf, wrappedFor } from './item-texts.ts'

const image = { type: 'input_image', image_url: `data:image/png;base64,${picture}`, detail: 'auto' }

export function openAiResponsesBody({ items, system, pieces, thinks, tools, max_output, stream }: Conversation): Json {
  const names = [...new Set(items.filter(({ kind }) => kind === 'call').map(nameOf)), 'other']
  return {
    model: 'm',
    instructions: system.join('\n'),
    input: items.map((item, index) => itemOf(item, index, pieces)),
    store: false,
    ...(tools && { tools: names.map(name => ({ type: 'function', name, parameters: citySchema, strict: false })) }),
    ...(thinks && { reasoning: { effort: 'high', summary: 'auto' } }),
    max_output_tokens: max_output,
    ...(stream && { stream }),
  }
}

function itemOf(item: Item, index: number, pieces: boolean): Json {
  const text = textOf(item)
  const said = (role: string, type: string) =>
    ({ type: 'message', role, content: pieces || !text ? [{ type, text }] : text }) as Json
  switch (item.kind) {
    case 'user':
      return said('user', 'input_text')
    case 'image':
      return { type: 'message', role: 'user', content: [image] }
    case 'system':
      return said('developer', 'input_text')
    case 'assistant':
      return {
        ...{ type: 'message', id: `msg_${index}`, status: 'completed', role: 'assistant' },
        content: [{ type: 'output_text', text, annotations: [] }],
      }
    case 'thought':
      return {
        ...{ type: 'reasoning', id: `rs_${index}`, encrypted_content: wrappedFor('openai', item) },
        summary: thoughtOf(item) ? [{ type: 'summary_text', text: thoughtOf(item) }] : [],
      }
    case 'call': {
      const text = item.blank === undefined ? JSON.stringify(argumentsOf(item)) : item.blank
      return { type: 'function_call', id: `fc_${index}`, call_id: idOf(item), name: nameOf(item), arguments: text }
    }
    case 'result':
      return {
        ...{ type: 'function_call_output', call_id: idOf(item) },
        output: item.image || pieces ? [{ type: 'input_text', text }, ...(item.image ? [image] : [])] : text,
      }
    case 'hosted':
      return { type: 'web_search_call', id: `ws_${index}`, status: 'completed', action: { type: 'search', query: 'q' } }
  }
}
