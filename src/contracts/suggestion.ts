/** Suggestions of fields that are filled with the name of something. */

/** What the fields name: `channels` and `users` for administrators only. */
export const SUGGESTED = ['channels', 'users', 'models', 'tokens'] as const
export type SuggestedNoun = (typeof SUGGESTED)[number]

export const SUGGESTIONS_MAX = 10

export const suggestionsAt = (of: SuggestedNoun): string => `/api/suggestions/${of}`

export interface Suggestion {
  /** Goes into the field. */
  value: string
  /** Shown beside the value. */
  hint?: string
}

/** A channel in a field: `#12 openai-eu`. */
export const channelText = ({ id, name }: { id: number; name: string }): string => `#${id} ${name}`

/** The id in the text of a channel, or in the number alone; other texts stay. */
export const channelIdIn = (text: unknown): unknown =>
  (typeof text === 'string' && /^#(\d{1,15})(?:\s|$)/.exec(text.trim())?.[1]) || text
