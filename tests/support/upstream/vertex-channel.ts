/** Channels of Vertex AI that lead to a cloud of the test. */
import { setOption } from '../app/options.ts'
import { setUp } from '../people/person.ts'
import { makeChannel } from './channel.ts'
import { serviceAccount } from './google-account.ts'
import type { GoogleCloud } from './google-cloud.ts'

export const GEMINI = 'gemini-2.5-flash'
export const CLAUDE = 'claude-sonnet-4-5-20250929'
export const EMBEDDING = 'gemini-embedding-001'
const models = [GEMINI, CLAUDE, EMBEDDING]

export const vertexChannel = async ({ url }: Pick<GoogleCloud, 'url'>, fields: Record<string, unknown> = {}) =>
  makeChannel(await setUp(), {
    ...{ type: 41, other: 'us-central1', models: models.join(), base_url: url, key: serviceAccount(url) },
    ...fields,
  })

export async function priceVertexModels() {
  for (const [name, ratio] of [
    ['ModelRatio', 1],
    ['CompletionRatio', 5],
    ['CacheRatio', 0.1],
  ] as const)
    await setOption(name, JSON.stringify(Object.fromEntries(models.map(model => [model, ratio]))))
}
