/** Random conversations as clients of OpenAI Responses send them. */
import type { Json } from '../../../src/pure/json.ts'
import { citySchema, picture } from '../wire/sse.ts'
import type { Conversation, Item } from './conversation.ts'
import { argumentsOf, idOf, nameOf, textOf, thoughtOf, toolNames, wrappedFor } from './item-texts.ts'

const image = { type: 'input_image', image_url: `data:image/png;base64,${picture}`, detail: 'auto' }

export function openAiResponsesBody(conversation: Conversation): Json {
  const { items, system, pieces, thinks, tools, max_output, stream } = conversation
  return {
    model: 'm',
    instructions: system.join('\n'),
    input: items.map((item, index) => itemOf(item, index, pieces)),
    store: false,
    ...(tools && { tools: [{ type: 'web_search' }, ...toolNames(conversation).map(toolOf)] }),
    ...(thinks && { reasoning: { effort: 'high', summary: 'auto' } }),
    max_output_tokens: max_output,
    ...(stream && { stream }),
  }
}

const freeform = /[13]$/

/** Some tools are called with free text. */
const toolOf = (name: string): Json =>
  freeform.test(name) ? { type: 'custom', name } : { type: 'function', name, parameters: citySchema, strict: false }

function callOf(item: Item, index: number): Json {
  const named = { id: `fc_${index}`, call_id: idOf(item), name: nameOf(item) }
  if (freeform.test(nameOf(item))) return { type: 'custom_tool_call', ...named, input: item.blank ?? item.mark }
  return { type: 'function_call', ...named, arguments: item.blank ?? JSON.stringify(argumentsOf(item)) }
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
    case 'call':
      return callOf(item, index)
    case 'result':
      return {
        ...{
          type: freeform.test(nameOf(item)) ? 'custom_tool_call_output' : 'function_call_output',
          call_id: idOf(item),
        },
        output: item.image || pieces ? [{ type: 'input_text', text }, ...(item.image ? [image] : [])] : text,
      }
    case 'hosted':
      return { type: 'web_search_call', id: `ws_${index}`, status: 'completed', action: { type: 'search', query: 'q' } }
  }
}
