/**
 * The shape of the losses of a format, and the sentences that several formats share. The translation loses what stands
 * in the `limits.ts` of a format and nothing else; `docs/formats.md` is printed from it.
 */
import type { ResponsePart } from '../canonical/chat.ts'
import type { Droppable, UnsupportedFeature } from './features.ts'

export interface Losses {
  /** Features left out of the request. */
  dropped: Partial<Record<Droppable, string>>
  /** Features refused with status 400; another channel may still accept them. */
  refused: Partial<Record<UnsupportedFeature, string>>
  /** Features written in another way. */
  changed: Record<string, string>
  /** Parts left out of the response. */
  omitted: Partial<Record<ResponsePart['kind'] | 'logprobs' | 'text_signatures', string>>
}

/** What every translation does with a conversation that no maker would accept as the client sends it back. */
export const everywhere: Losses['changed'] = {
  calls:
    'Messages of the assistant that follow each other are one, so that parallel calls stand together, with their results in the next message, in the order of the calls. A result that stands elsewhere is moved to its call.',
  unanswered_calls: 'A call without a result gets the result `No result.`, marked as an error.',
  loose_results: 'A result without a call, or a second one of the same call, becomes content of the user.',
  call_ids: 'Of calls with the same id, every one but the first gets a number behind it, and so does its result.',
  pieces:
    'Pieces of a streamed text or thought, which Google’s SDKs and clients of OpenRouter keep apart, are joined, with the signature of the last.',
  blank_texts: 'Texts of whitespace only are left out, and so are messages of the assistant without content.',
  tools: 'Of several functions of one name, the first is sent.',
  account_line:
    'The line `x-anthropic-billing-header`, which Claude Code changes with each request, is sent to Anthropic only: elsewhere it would spoil the cache of the prompt.',
}

export const unstored = 'The conversation is stored at another provider, under an id.'
export const noHosted =
  'Tools that a provider runs itself (web search, code execution) become the corresponding tools of the target, and are left out if it has none for the model, or none with a price; a choice of such a tool is left out with it, and the model decides where it cannot be forced beside other tools. Allowed sites, location and context size are kept if the target has fields for them; excluded sites and the maximum number of searches are not. Tools that Anthropic’s clients declare for later (`defer_loading`) are sent once the conversation loads them.'
export const noForeignThought = 'Thinking blocks are sent back only to the provider that signed them.'
export const systemFirst = 'System messages in the middle of a conversation are joined to those at its beginning.'
export const manyTools = 'OpenAI’s models accept at most 128 tools.'
export const fewMarks = 'Of more than four cache marks, the first and the last three are sent.'
export const userLast = 'A conversation that the assistant ends gets a message of the user, `...`.'
export const userFirst =
  'A conversation starts with the user, roles alternate and no message is empty: neighbouring messages are joined, and a missing text becomes `...`.'
export const bareSchema = 'OpenAI accepts only schemas of objects; any other schema is put into the instructions.'
export const effortsOfOpenAi =
  'A budget of tokens becomes an effort: up to 1024 low, up to 8192 medium, else high, or the nearest effort that the model supports. OpenAI’s models without reasoning get none.'
export const freeform =
  'Custom tools (called with free text) become functions with one argument, `input`; a grammar is put into the description. Clients get the text back when it is complete. Functions in a group (`namespace`) are sent as `group__function`, with those that items of the conversation add; a search for tools that the client runs is a function, too.'
export const ownMedia = 'Images and other media that the model generated are sent back in a user message.'
export const cut = 'The gateway applies the others itself and cuts the response there; output beyond it is billed.'
export const toolNames = (most: number, letters: string) =>
  `A function whose name has more than ${most} characters, or others than ${letters}, is sent under another name; clients get the original name back.`
export const openAiNames = toolNames(64, 'letters, digits, `_` and `-`')
export const allowedTools = 'Tools outside a list of allowed tools are left out.'
