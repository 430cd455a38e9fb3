/** Messages of the browser code, from the document. */
let messages: Record<string, string> | undefined

export function clientMessage(code: string, params: Record<string, string> = {}): string {
  messages ??= JSON.parse(document.getElementById('messages')?.textContent ?? '{}') as Record<string, string>
  return Object.entries(params).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    messages[code] ?? code,
  )
}
