/** Google's Gemini. */
import { baseOf } from './address.ts'
import { objectsIn } from './fit.ts'
import { asking, fieldOf } from './inquiry.ts'
import { listed } from './models.ts'
import type { Line, Provider } from './provider.ts'

const HOME = 'https://generativelanguage.googleapis.com'
const VERSION = 'v1beta'
const LIST_MAX = 1000

const versionOf = ({ other, version }: Line) => other || version || VERSION

/** What callers can have of a model; others are only for tuning or for sockets. */
const useful = new Set<unknown>(['generateContent', 'embedContent', 'predict'])

const readModels = (answer: unknown): string[] =>
  objectsIn(fieldOf(answer, 'models'))
    .filter(({ supportedGenerationMethods: methods }) => Array.isArray(methods) && methods.some(one => useful.has(one)))
    .map(({ name }) => String(name).replace(/^models\//, ''))

export const gemini: Provider = {
  type: 24,
  label: 'Google Gemini',
  base_url: HOME,
  key_format: 'AIza…',
  many_keys: true,
  stream_usage: false,
  models: listed(24),
  authorize: ({ key }) => ({ 'x-goog-api-key': key }),
  speaks: {},
  listModels: asking(line => `${baseOf(line, HOME)}/${versionOf(line)}/models?pageSize=${LIST_MAX}`, readModels),
}
