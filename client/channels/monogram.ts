/** The monogram of a provider, for want of a picture. */
/** Two letters that stand for a provider: `OpenAI` is `OA`, `Ollama` is `Ol`. */
export function monogramOf(label: string): string {
  const [first = '', ...rest] = label
  const second = rest.find(letter => /[A-Z\d]/.test(letter)) ?? rest[0] ?? ''
  return first + second
}
