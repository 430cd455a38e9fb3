/** curl command of a first call. */
export function firstCall({ base, key, model = 'gpt-4o-mini' }: { base: string; key: string; model?: string }): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })
  return [
    `curl ${base}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n')
}
