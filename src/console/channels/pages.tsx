/** Routes of the channels page: its list and its forms. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { channelColumns } from '../../../views/channels/columns.tsx'
import { ConfirmDelete } from '../../../views/channels/confirm-delete.tsx'
import { ENABLE_ACTION, TEST_ACTION, type TestResult } from '../../../views/channels/test-result.tsx'
import { channelsAt } from '../../../views/channels/view.ts'
import {
  CHANNELS_PATH,
  ChannelChange,
  ChannelStatus,
  KeyChange,
  NewChannel,
  UnsavedChannel,
} from '../../contracts/channel.ts'
import { Id } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import {
  changeChannel,
  channelView,
  createChannel,
  deleteChannel,
  endedService,
  moveToSuccessor,
  switchKey,
  testChannel,
  testUnsaved,
} from '../../domain/channels/index.ts'
import { unpriced } from '../../domain/pricing/index.ts'
import { translator } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { seconds } from '../../pure/time.ts'
import { errorsOf } from '../../web/forms.ts'
import { guard } from '../guard.ts'
import { act, back, backWithUndoOfRequest, confirmDelete, idempotent, listPage, openAt } from '../list-page.ts'
import { redirectTo } from '../page.tsx'
import { exportChannels } from './export.ts'
import {
  ChannelForm,
  changesOf,
  fieldOfError,
  fieldsOf,
  flawsIn,
  formOf,
  hostOf,
  isOddAddress,
  repeatedKeys,
  unsavedOf,
} from './form.ts'
import { type ChannelsPage, ChannelsQuery, viewOf } from './query.ts'
import { budgets, drawer, show } from './show.tsx'

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
      .post('/:id/successor', succeed, ofChannel)
      .post('/:id/routing', setRouting, ofChannel)
      .post('/:id/keys', setKeyStatus, ofChannel)
      .post('/:id/budgets', budgets.create, ofChannel)
      .post('/budgets/:id', budgets.save, ofChannel)
      .post('/budgets/:id/delete', budgets.remove, ofChannel),
  )

async function create(page: ChannelsPage): Promise<Response> {
  return submit(page, undefined, async form => {
    const { name } = await idempotent(page, form, async key =>
      createChannel(NewChannel.parse(fieldsOf(form)), page.actor, key),
    )
    return saved(page, form, 'channel.created', name)
  })
}

async function save(page: ChannelRequest): Promise<Response> {
  const { id } = page.params
  const opened = openAt(page, { edit: id }, channelsAt(viewOf(page.query), { edit: id }))
  return submit(opened, id, async form => {
    const enabled = form.action === ENABLE_ACTION && { status: ChannelStatus.enabled }
    const { name } = await changeChannel(ChannelChange.parse({ ...changesOf(form), ...enabled, id }), page.actor)
    return enabled ? back(page, 'channel.now_enabled', { name }) : saved(page, form, 'channel.updated', name)
  })
}

const keysOnce = {
  'channel.created': 'channel.created_keys_once',
  'channel.updated': 'channel.updated_keys_once',
} as const

/** Leads back to the list. Repeated keys are stored once, which the message mentions. */
function saved(page: ChannelsPage, { key, type }: ChannelForm, message: keyof typeof keysOnce, name: string) {
  const count = repeatedKeys(key, Number(type))
  return count ? back(page, keysOnce[message], { name, count }) : back(page, message, { name })
}

/** Shows the drawer again for errors at fields, once for a base URL that is probably wrong, and with the result of a test. */
async function submit(
  page: ChannelsPage,
  id: number | undefined,
  store: (form: ChannelForm) => Promise<Response>,
): Promise<Response> {
  const form = ChannelForm.parse(page.body)
  const { language } = page.visit
  const t = translator(language)
  if (form.action !== TEST_ACTION && isOddAddress(form)) {
    const errors = { base_url: t('channel.v1_confirm') }
    return show(page, await drawer(page, { ...form, base_url_kept: form.base_url }, errors))
  }
  const flaws = flawsIn(form, id === undefined ? undefined : changesOf(form))
  const errors = Object.fromEntries(flaws.map(({ field, code, params }) => [field, t(code, params)]))
  try {
    if (form.action === TEST_ACTION) {
      const tested = await testForm(page, form, id)
      return show(page, await drawer(page, form, {}, tested), 200)
    }
    if (flaws.length) return show(page, await drawer(page, form, { ...contractErrors(form, id, language), ...errors }))
    return await store(form)
  } catch (error) {
    const found = Object.entries(errorsOf(error, language)).map(([field, words]) => [fieldOfError(form, field), words])
    return show(page, await drawer(page, form, { ...Object.fromEntries(found), ...errors }))
  }
}

/** Errors at fields that the contract finds beside those of the type. */
function contractErrors(form: ChannelForm, id: number | undefined, language: Language): Record<string, string> {
  const { error } =
    id === undefined ? NewChannel.safeParse(fieldsOf(form)) : ChannelChange.safeParse({ ...changesOf(form), id })
  const found = error ? Object.entries(errorsOf(error, language)) : []
  return Object.fromEntries(found.map(([field, words]) => [fieldOfError(form, field), words]))
}

/** Tests the typed values. The price is looked up by the name that clients request. */
async function testForm(
  { actor, visit }: ChannelsPage,
  form: ChannelForm,
  id: number | undefined,
): Promise<TestResult> {
  const typed = UnsavedChannel.parse(unsavedOf(form, id))
  const result = await testUnsaved(typed, actor, visit.language)
  const host = hostOf(form)
  return { ...result, host, unpriced: unpriced([result.model], form.model_prefix.trim()).length > 0 }
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
  const done = status === ChannelStatus.enabled ? 'channel.now_enabled' : 'channel.now_disabled'
  return backWithUndoOfRequest(page, done, { name })
}

/** Changes the type of an ended service. What the successor cannot use is shown in the drawer, with the new type. */
async function succeed(page: ChannelRequest): Promise<Response> {
  const { id } = page.params
  const channel = await channelView(id)
  try {
    const { name } = await moveToSuccessor(id, page.actor)
    return back(page, 'channel.updated', { name })
  } catch (error) {
    const { successor } = endedService(channel.type) ?? {}
    if (!successor) throw error
    const opened = openAt(page, { edit: id }, channelsAt(viewOf(page.query), { edit: id }))
    const form = { ...formOf(channel), type: String(successor.type) }
    return show(opened, await drawer(opened, form, errorsOf(error, page.visit.language)))
  }
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
    return await backWithUndoOfRequest(page, 'channel.key_changed', { name })
  })
}
