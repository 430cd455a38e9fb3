import { Elysia } from 'elysia'
import { z } from 'zod'
import { ConfirmDelete } from '../../../views/channels/confirm-delete.tsx'
import { CHANNELS_PATH, channelAction, channelsAt, TEST_ALL_PATH } from '../../../views/channels/view.ts'
import { ChannelChange, ChannelStatus, KeyChange, NewChannel } from '../../contracts/channel.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import {
  changeChannel,
  channelView,
  createChannel,
  deleteChannel,
  switchKey,
  testAllChannels,
  testChannel,
} from '../../domain/channels/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import { seconds } from '../../pure/time.ts'
import { errorsOf, forms } from '../../web/forms.ts'
import { idempotent } from '../../web/idempotent-form.ts'
import { localPath } from '../../web/origin.ts'
import { guard } from '../guard.ts'
import { redirectTo } from '../page.tsx'
import { ChannelForm, changesOf, fieldsOf, isOddAddress } from './form.ts'
import { type Asked, ChannelsQuery, drawer, show, viewOf } from './show.tsx'

const ById = z.object({ id: z.coerce.number().pipe(z.int()) })
const Back = z.object({ returnTo: z.string().optional() })
const Confirmed = z.object({ confirm: z.string().default('') })

type Posted = Asked & { body: unknown }
type PostedTo = Posted & { params: z.output<typeof ById> }

const page = { own: 'admin', query: ChannelsQuery } as const
const ofOne = { ...page, params: ById } as const

export const channelPages = new Elysia()
  .use(guard)
  .use(forms)
  .get(CHANNELS_PATH, asked => show(asked), page)
  .post(CHANNELS_PATH, post, page)
  .post(channelAction(':id', 'test'), test, ofOne)
  .post(channelAction(':id', 'status'), setStatus, ofOne)
  .post(channelAction(':id', 'routing'), setRouting, ofOne)
  .post(channelAction(':id', 'keys'), setKey, ofOne)
  .post(TEST_ALL_PATH, testAll, page)
  .get('/channel/add', () => redirectTo(channelsAt({}, 'new')), page)
  .get('/channel/edit/:id', ({ params }) => redirectTo(channelsAt({}, { edit: params.id })), ofOne)

/** The forms that open over the list, each sent to the address at which it is open. */
async function post(asked: Posted): Promise<Response> {
  return asked.query.delete ? remove(asked, asked.query.delete) : save(asked)
}

async function save(asked: Posted): Promise<Response> {
  const { query, visit } = asked
  const typed = ChannelForm.parse(asked.body)
  const t = translator(visit.language)
  if (isOddAddress(typed)) {
    return show(
      asked,
      await drawer(asked, { ...typed, base_url_kept: typed.base_url }, { base_url: t('channel.v1_confirm') }),
      422,
    )
  }
  try {
    const { name } = query.edit
      ? await changeChannel(ChannelChange.parse({ ...changesOf(typed), id: query.edit }), asked.caller)
      : await makeOnce(asked.caller.id, typed, async () => createChannel(NewChannel.parse(fieldsOf(typed))))
    return back(asked, query.edit ? 'channel.updated' : 'channel.created', { name })
  } catch (error) {
    return show(asked, await drawer(asked, typed, errorsOf(error, visit.language)), 422)
  }
}

/** Without JavaScript nothing holds back a second click. */
const makeOnce = idempotent<{ name: string }>()

async function remove(asked: Posted, id: number): Promise<Response> {
  const { name } = await channelView(id)
  if (Confirmed.parse(asked.body).confirm.trim() === name) {
    await deleteChannel(id)
    return back(asked, 'channel.deleted', { name })
  }
  const error = translator(asked.visit.language)('channel.delete_other_name')
  return show(asked, <ConfirmDelete view={viewOf(asked.query)} id={id} name={name} error={error} />, 422)
}

async function test(asked: PostedTo): Promise<Response> {
  const { params, caller, visit } = asked
  const { name } = await channelView(params.id)
  const tested = await testChannel(params.id, undefined, caller, visit.language)
  return tested.ok
    ? back(asked, 'channel.answered', { name, seconds: seconds(tested.seconds) })
    : back(asked, 'channel.not_answered', { name, reason: tested.message }, 'error')
}

async function setStatus(asked: PostedTo): Promise<Response> {
  const { status } = Object(asked.body)
  const { name, ...channel } = await changeChannel(ChannelChange.parse({ id: asked.params.id, status }), asked.caller)
  return back(asked, channel.status === ChannelStatus.enabled ? 'channel.now_enabled' : 'channel.now_disabled', {
    name,
  })
}

/** A number of the list that was changed in its place. */
async function setRouting(asked: PostedTo): Promise<Response> {
  const { priority, weight } = Object(asked.body)
  try {
    const { name } = await changeChannel(ChannelChange.parse({ id: asked.params.id, priority, weight }), asked.caller)
    return back(asked, 'channel.updated', { name })
  } catch (error) {
    const [text = ''] = Object.values(errorsOf(error, asked.visit.language))
    return redirectTo(returnOf(asked), { kind: 'error', text })
  }
}

/** `turn` names a key and its new state. */
async function setKey(asked: PostedTo): Promise<Response> {
  const [key = '', status] = String(Object(asked.body).turn).split(' ')
  const { name } = await channelView(asked.params.id)
  return backFrom(asked, 'channel.key_changed', { name }, () =>
    switchKey(asked.params.id, key, parse(KeyChange, { status }).status),
  )
}

async function testAll(asked: Posted): Promise<Response> {
  return backFrom(asked, 'channel.test_all_begun', {}, () => testAllChannels(asked.caller, asked.visit.language))
}

/** Does it, or says why not. */
async function backFrom(asked: Posted, done: MessageKey, facts: Record<string, string>, work: () => Promise<unknown>) {
  try {
    await work()
    return back(asked, done, facts)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 404) throw error
    return back(asked, error.code, {}, 'error')
  }
}

type Kind = 'success' | 'error'

/** Back to where the form was, with a toast. */
const back = (asked: Posted, sentence: MessageKey, facts: Record<string, string>, kind: Kind = 'success') =>
  redirectTo(returnOf(asked), { kind, text: translator(asked.visit.language)(sentence, facts) })

const returnOf = ({ body }: Posted) => localPath(Back.parse(body).returnTo, CHANNELS_PATH)
