/** Messages of the browser code, from the document. */
let words: Record<string, string> | undefined

export function clientMessage(code: string, facts: Record<string, string> = {}): string {
  words ??= JSON.parse(document.getElementById('words')?.textContent ?? '{}') as Record<string, string>
  return Object.entries(facts).reduce((text, [name, value]) => text.replace(`{${name}}`, value), words[code] ?? code)
}
