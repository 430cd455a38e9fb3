/** A gateway in front of a maker that names what it makes: two users, two channels of each format, and one that passes any id. */
import type { Json } from '../../formats/wire/sse.ts'
import { setOption } from '../app/options.ts'
import { setPrice } from '../app/prices.ts'
import { type Client, client } from '../people/client.ts'
import { setUp } from '../people/person.ts'
import { makeChannel } from './channel.ts'
import { namingUpstream } from './naming-upstream.ts'
import { channelFields, type Made, models } from './stored-kinds.ts'

export const IMAGE = 'gpt-image-1'
export const SPEECH = 'gpt-4o-mini-tts'
const BALANCE = 10_000_000
export const maker = namingUpstream()
const root = await setUp()
const paid = ['shell', 'mcp', 'code_interpreter', 'file_search', 'image_generation', 'computer'].map(
  name => `tools.${name}`,
)
const setting = { allowed_fields: [...paid, 'tools.fileSearch', 'tools.retrieval'] }
const all = [...Object.values(models), IMAGE, SPEECH]
/** Under this name a model is served by a channel that passes ids which were made elsewhere. */
const open = (model: string) => `open-${model}`
const add = (fields: Json) => makeChannel(root, { base_url: maker.url, setting: JSON.stringify(setting), ...fields })
for (const fields of channelFields) await add(fields)
await add({ type: 1, models: [IMAGE, SPEECH].join(), key: 'sk-9' })
const passes = JSON.stringify({ ...setting, allow_unknown_ids: true })
for (const [type, served] of [
  [1, [models.openai, models.chat, IMAGE, SPEECH]],
  [14, [models.anthropic]],
  [24, [models.gemini]],
] as const)
  await add({ type, models: served.map(open).join(), key: 'sk-open', setting: passes })
await add({ type: 47, models: 'translated', key: 'sk-open', setting: passes })
const atOne = Object.fromEntries([...all, ...all.map(open), 'translated'].map(model => [model, 1]))
await setPrice('ModelRatio', atOne)
await setPrice('CompletionRatio', atOne)
await setOption('PreConsumedQuota', 0)

export const ann = await client({}, BALANCE)
export const ben = await client({}, BALANCE)
export const send = (who: Client, { path, body }: Made, fields: Json = {}) => who.postTo(path, { ...body, ...fields })
/** The same call to a channel that passes ids which were made elsewhere. */
export const toOpen = ({ path, body }: Made): Made => ({
  path: path.replace('models/', 'models/open-'),
  body: 'model' in body ? { ...body, model: open(String(body.model)) } : body,
})
