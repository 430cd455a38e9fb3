/** The few sentences that the page's own script says; the document carries them. */
const words: Record<string, string> = JSON.parse(document.getElementById('words')?.textContent ?? '{}')

export const word = (code: string, facts: Record<string, string> = {}) =>
  Object.entries(facts).reduce((text, [name, value]) => text.replace(`{${name}}`, value), words[code] ?? code)
