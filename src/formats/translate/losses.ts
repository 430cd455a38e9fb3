/**
 * The shape of the losses of a format, and the sentences that several formats share. The translation loses what stands
 * in the `limits.ts` of a format and nothing else; `docs/formats.md` is printed from it.
 */
import type { ResponsePart } from '../canonical/chat.ts'
import type { Droppable, Unsupported } from './features.ts'

export interface Losses {
  /** Features left out of the request. */
  dropped: Partial<Record<Droppable, string>>
  /** Features refused with status 400; another channel may still accept them. */
  refused: Partial<Record<Unsupported, string>>
  /** Features written in another way. */
  changed: Record<string, string>
  /** Parts left out of the response. */
  omitted: Partial<Record<ResponsePart['kind'] | 'logprobs', string>>
}

export const unstored = 'The conversation is stored at another provider, under an id.'
export const noHosted =
  'Tools that a provider runs itself (web search, code execution) become the corresponding tools of the target, and are left out if it has none for the model, or none with a price; a choice of such a tool is left out with it. Allowed sites, location and context size are kept if the target has fields for them; excluded sites and the maximum number of searches are not.'
export const noForeignThought = 'Thinking blocks are sent back only to the provider that signed them.'
export const systemFirst = 'System messages in the middle of a conversation are joined to those at its beginning.'
export const userFirst =
  'A conversation starts with the user, roles alternate and no message is empty: neighbouring messages are joined, and a missing text becomes `...`.'
export const bareSchema = 'OpenAI accepts only schemas of objects; any other schema is put into the instructions.'
export const effortsOfOpenAi =
  'A budget of tokens becomes an effort: up to 1024 low, up to 8192 medium, else high, or the nearest effort that the model supports. OpenAI’s models without reasoning get none.'
export const freeform =
  'Custom tools (called with free text) become functions with one argument, `input`; a grammar is put into the description. Clients get the text back when it is complete.'
export const ownMedia = 'Images and other media that the model generated are sent back in a user message.'
export const cut = 'The gateway applies the others itself and cuts the response there; output beyond it is billed.'
export const toolNames = (most: number, letters: string) =>
  `A function whose name has more than ${most} characters, or others than ${letters}, is sent under another name; clients get the original name back.`
export const openAiNames = toolNames(64, 'letters, digits, `_` and `-`')
export const allowedTools = 'Tools outside a list of allowed tools are left out.'
