/** An SDK of tomorrow: a name of each kind that no surface lists, beside some that one lists. */
interface Tomorrow {
  model: string
  teleport?: boolean
}
type Event = { type: 'message_start' } | { type: 'message_echo' }
type Block = { type: 'text' } | { type?: 'hologram' } | { type: string }

export type anthropic_field = keyof Tomorrow
export type anthropic_beta = (string & {}) | 'context-1m-2025-08-07' | 'context-9m-2027-01-01'
export type anthropic_tool = { type: 'web_search_20250305' | 'web_search_20990101' }['type']
export type anthropic_event = Event['type']
export type anthropic_block = Block extends infer Kind
  ? Kind extends { type?: infer Name }
    ? string extends Name
      ? never
      : Extract<Name, string>
    : never
  : never
export type openai_responses_event = 'response.completed' | 'response.dreaming'
export type gemini_tool = keyof { googleSearch: object; googleMars: object }
