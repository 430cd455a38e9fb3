/** A maker of pictures in OpenAI's form, which answers when and as a test wants. */
import { afterAll } from 'bun:test'
import { setUp } from '../people/person.ts'
import { makeChannel } from './channel.ts'
import { listen, type ScriptedAnswer } from './http-server.ts'
import type { Json } from './strict-provider.ts'

export const PICTURE_MODEL = 'dall-e-3'
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const picture = { created: 1, data: [{ b64_json: PNG.toString('base64'), revised_prompt: 'A gate' }] }

export async function pictureUpstream() {
  const bodies: Json[] = []
  let script: (answer: ScriptedAnswer) => unknown = answer => answer.json(picture)
  const server = await listen(async ({ body }, answer) => {
    bodies.push(JSON.parse(body))
    await script(answer)
  })
  afterAll(() => server.stop())
  return {
    url: `http://127.0.0.1:${server.port}`,
    bodies,
    plays(next: typeof script = answer => answer.json(picture)) {
      script = next
      bodies.length = 0
    },
  }
}

export const pictureChannel = async ({ url }: { url: string }, fields: Json = {}) =>
  makeChannel(await setUp(), { type: 1, key: 'sk-pictures', base_url: url, models: PICTURE_MODEL, ...fields })
