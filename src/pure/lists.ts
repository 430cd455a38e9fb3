/** Lists as they travel: in one text, with the blanks and repetitions that people leave in it. */

const distinct = (items: string[]) => [...new Set(items.map(item => item.trim()).filter(Boolean))]

/** `a, b,,a` → a, b */
export const commaList = (text: string): string[] => distinct(text.split(','))

/** One a line; commas and spaces separate too. */
export const lineList = (text: string): string[] => distinct(text.split(/[\s,]+/))
