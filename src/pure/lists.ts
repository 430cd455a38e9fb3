/** Lists in one text. Blanks around items, empty items and duplicates are dropped. */

const distinct = (items: string[]) => [...new Set(items.map(item => item.trim()).filter(Boolean))]

/** `a, b,,a` → a, b */
export const commaList = (text: string): string[] => distinct(text.split(','))

/** One item per line; commas and spaces separate too. */
export const lineList = (text: string): string[] => distinct(text.split(/[\s,]+/))
