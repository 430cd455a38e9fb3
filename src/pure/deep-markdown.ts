/** Finds Markdown with many quotes or lists inside each other: parsers take quadratic time and deep recursion for it. */

/** Quotes and list items that one line may open. */
const MARKERS_MAX = 20
/** Blanks that one line may begin with: two for each list around it. */
const INDENT_MAX = 400

const rule = /(?![ \t]*([*-])(?:[ \t]*\1)*[ \t]*$)/
const marker = /[ \t]*(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])/
const deep = new RegExp(`^[ \\t]{${INDENT_MAX}}|^${rule.source}(?:${marker.source}){${MARKERS_MAX}}`, 'm')

/** A line of dashes or stars is a rule, and opens nothing. */
export const isDeepMarkdown = (text: string): boolean => deep.test(text)
