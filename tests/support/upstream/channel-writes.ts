/** The administrative writes of the channel list, by route. */
import { type Person, setUp } from '../people/person.ts'
import { makeChannel } from './channel.ts'

let tags = 0

const newChannel = async (fields: Record<string, unknown> = {}) => (await makeChannel(await setUp(), fields)).id
const ids = async (fields?: Record<string, unknown>) => ({ ids: [await newChannel(fields)] })

/** A tag of one new channel. */
async function newTag(): Promise<string> {
  const tag = `tag-${++tags}`
  await newChannel({ tag })
  return tag
}

/** One disabled channel and no other. */
async function onlyDisabled() {
  await (await setUp()).delete('/api/channel/disabled')
  await newChannel({ status: 2 })
}

export const channelWrites: Record<string, (person: Person) => Promise<unknown>> = {
  'POST /api/channel/batch': async person => person.post('/api/channel/batch', await ids()),
  'POST /api/channel/batch/tag': async person => person.post('/api/channel/batch/tag', { ...(await ids()), tag: 'a' }),
  'POST /api/channel/batch/enabled': async person =>
    person.post('/api/channel/batch/enabled', await ids({ status: 2 })),
  'POST /api/channel/batch/disabled': async person => person.post('/api/channel/batch/disabled', await ids()),
  'PUT /api/channel/tag': async person => person.put('/api/channel/tag', { tag: await newTag(), weight: 4 }),
  'POST /api/channel/tag/enabled': async person => {
    const tag = await newTag()
    await (await setUp()).post('/api/channel/tag/disabled', { tag })
    return person.post('/api/channel/tag/enabled', { tag })
  },
  'POST /api/channel/tag/disabled': async person => person.post('/api/channel/tag/disabled', { tag: await newTag() }),
  'DELETE /api/channel/disabled': async person => {
    await onlyDisabled()
    return person.delete('/api/channel/disabled')
  },
  'POST /api/channel/fix': person => person.post('/api/channel/fix', {}),
  'POST /api/channel/copy/:id': async person => person.post(`/api/channel/copy/${await newChannel()}`, {}),
  'POST /admin/channels/selected': async person =>
    person.form('/admin/channels/selected', { 'ids[]': [String(await newChannel())], action: 'disable' }),
  'POST /admin/channels/set-tag': async person =>
    person.form(`/admin/channels/set-tag?set_tag=${await newChannel()}`, { tag: 'a' }),
  'POST /admin/channels/delete-all': async person =>
    person.form(`/admin/channels/delete-all?delete_all=${await newChannel()}`, { confirm: '1' }),
  'POST /admin/channels/delete-disabled': async person => {
    await onlyDisabled()
    return person.form('/admin/channels/delete-disabled', { confirm: '1' })
  },
  'POST /admin/channels/tag': async person => {
    const tag = await newTag()
    return person.form(`/admin/channels/tag?tag=${tag}`, { new_tag: tag, weight: '4' })
  },
  'POST /admin/channels/tag/switch': async person =>
    person.form(`/admin/channels/tag/switch?tag=${await newTag()}`, { status: '2' }),
  'POST /admin/channels/fix': person => person.form('/admin/channels/fix'),
  'POST /admin/channels/:id/status': async person =>
    person.form(`/admin/channels/${await newChannel()}/status`, { status: '2' }),
  'POST /admin/channels/:id/successor': async person => {
    const { id } = await makeChannel(await setUp(), { type: 15, key: 'bce-v3/ALTAK-one/two' })
    return person.form(`/admin/channels/${id}/successor`)
  },
  'POST /admin/channels/:id/routing': async person =>
    person.form(`/admin/channels/${await newChannel()}/routing`, { priority: '3', weight: '1' }),
  'POST /admin/channels/:id/copy': async person => person.form(`/admin/channels/${await newChannel()}/copy`),
}

/** They test channels or ask for balances. */
export const channelProbes = [
  'POST /api/channel/unpriced',
  'POST /api/channel/batch/test',
  'POST /api/channel/tag/test',
  'POST /admin/channels/tag/test',
  'POST /admin/channels/balance',
  'POST /admin/channels/:id/balance',
]
