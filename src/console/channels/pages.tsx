/** The channels page: its list and its forms. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { channelColumns } from '../../../views/channels/columns.tsx'
import { ConfirmDelete } from '../../../views/channels/confirm-delete.tsx'
import { CHANNELS_PATH, channelsAt } from '../../../views/channels/view.ts'
import { ChannelChange, ChannelStatus, KeyChange, NewChannel } from '../../contracts/channel.ts'
import { Id } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import {
  changeChannel,
  channelView,
  createChannel,
  deleteChannel,
  switchKey,
  testChannel,
} from '../../domain/channels/index.ts'
import { translator } from '../../locales/index.ts'
import { seconds } from '../../pure/time.ts'
import { errorsOf } from '../../web/forms.ts'
import { guard } from '../guard.ts'
import { act, back, confirmDelete, idempotent, listPage, openAt } from '../list-page.ts'
import { redirectTo } from '../page.tsx'
import { exportChannels } from './export.ts'
import { ChannelForm, changesOf, fieldsOf, isOddAddress } from './form.ts'
import { type ChannelsPage, ChannelsQuery, viewOf } from './query.ts'
import { drawer, show } from './show.tsx'

const access = { userPage: 'admin', query: ChannelsQuery } as const
const ofChannel = { ...access, params: Id } as const

type ChannelRequest = ChannelsPage & { params: { id: number } }

export const channelPages = new Elysia()
  .use(guard)
  .get('/channel/add', () => redirectTo(channelsAt({}, 'new')), access)
  .get('/channel/edit/:id', ({ params }) => redirectTo(channelsAt({}, { edit: params.id })), ofChannel)
  .use(
    listPage(CHANNELS_PATH, channelColumns, 'admin')
      .get('', page => show(page), access)
      .get('/export.csv', ({ query, visit }) => exportChannels(viewOf(query), visit), access)
      .get('/:id', ({ params }) => redirectTo(channelsAt({}, { edit: params.id })), ofChannel)
      .post('', create, access)
      .post('/:id', save, ofChannel)
      .post('/:id/delete', remove, ofChannel)
      .post('/:id/test', test, ofChannel)
      .post('/:id/status', setStatus, ofChannel)
      .post('/:id/routing', setRouting, ofChannel)
      .post('/:id/keys', setKeyStatus, ofChannel),
  )

async function create(page: ChannelsPage): Promise<Response> {
  return submit(page, async form => {
    const { name } = await idempotent(page, form, async () =>
      createChannel(NewChannel.parse(fieldsOf(form)), page.actor),
    )
    return back(page, 'channel.created', { name })
  })
}

async function save(page: ChannelRequest): Promise<Response> {
  const { id } = page.params
  const opened = openAt(page, { edit: id }, channelsAt(viewOf(page.query), { edit: id }))
  return submit(opened, async form => {
    const { name } = await changeChannel(ChannelChange.parse({ ...changesOf(form), id }), page.actor)
    return back(page, 'channel.updated', { name })
  })
}

/** Shows the drawer again for an error at a field, and once for a base URL that is probably wrong. */
async function submit(page: ChannelsPage, store: (form: ChannelForm) => Promise<Response>): Promise<Response> {
  const form = ChannelForm.parse(page.body)
  const { language } = page.visit
  if (isOddAddress(form)) {
    const errors = { base_url: translator(language)('channel.v1_confirm') }
    return show(page, await drawer(page, { ...form, base_url_kept: form.base_url }, errors))
  }
  try {
    return await store(form)
  } catch (error) {
    return show(page, await drawer(page, form, errorsOf(error, language)))
  }
}

async function remove(page: ChannelRequest): Promise<Response> {
  const { id } = page.params
  const { name } = await channelView(id)
  const view = viewOf(page.query)
  return confirmDelete(page, {
    name,
    mismatch: 'channel.delete_other_name',
    remove: async () => {
      await deleteChannel(id, page.actor)
      return back(page, 'channel.deleted', { name })
    },
    show: error =>
      show(
        openAt(page, { delete: id }, channelsAt(view, { delete: id })),
        <ConfirmDelete view={view} id={id} name={name} error={error} />,
      ),
  })
}

/** Of the dialog that tests one model; empty from the button of a row. */
const ChosenModel = z.object({ model: z.string().optional() })

async function test(page: ChannelRequest): Promise<Response> {
  const { params, caller, visit } = page
  const { name } = await channelView(params.id)
  const { model } = ChosenModel.parse(page.body)
  const result = await testChannel(params.id, model, caller, visit.language)
  return result.ok
    ? back(page, 'channel.answered', { name, seconds: seconds(result.seconds) })
    : back(page, 'channel.not_answered', { name, reason: result.message }, 'error')
}

async function setStatus(page: ChannelRequest): Promise<Response> {
  const change = ChannelChange.parse({ id: page.params.id, status: Object(page.body).status })
  const { name, status } = await changeChannel(change, page.actor)
  return back(page, status === ChannelStatus.enabled ? 'channel.now_enabled' : 'channel.now_disabled', { name })
}

/** Priority and weight, edited in the list. */
async function setRouting(page: ChannelRequest): Promise<Response> {
  const { priority, weight } = Object(page.body)
  return act(page, async () => {
    const { name } = await changeChannel(parse(ChannelChange, { id: page.params.id, priority, weight }), page.actor)
    return back(page, 'channel.updated', { name })
  })
}

/** `turn` holds the id of a key and its new status. */
async function setKeyStatus(page: ChannelRequest): Promise<Response> {
  const [key = '', status] = String(Object(page.body).turn).split(' ')
  const { name } = await channelView(page.params.id)
  return act(page, async () => {
    await switchKey(page.params.id, key, parse(KeyChange, { status }).status, page.actor)
    return back(page, 'channel.key_changed', { name })
  })
}
