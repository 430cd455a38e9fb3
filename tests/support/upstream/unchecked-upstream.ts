/** An upstream that takes any body and answers every chat alike, without reading along. */
export function uncheckedUpstream() {
  const answer = {
    ...{ id: 'x', object: 'chat.completion', created: 1, model: 'gpt-4o' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      for await (const _ of request.body ?? []);
      return Response.json(answer)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) }
}
