/** Foreign texts in messages of the system. */

/** Markdown that shows a text as it is, in one line. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()<>#+\-.!|~&]/g, '\\$&')
