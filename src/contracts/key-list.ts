/** The text of several keys, one per line or separated by commas. */

/** Every key in the text, repeated ones included. */
export const keyLines = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map(key => key.trim())
    .filter(Boolean)
