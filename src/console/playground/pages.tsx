/** Route of the playground page. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { Make } from '../../../views/playground/make.tsx'
import { Playground } from '../../../views/playground/playground.tsx'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { rowId } from '../../contracts/list-address.ts'
import { detailsOf } from '../../contracts/log.ts'
import { type LoggedMessage, loggedMessages } from '../../contracts/logged-messages.ts'
import {
  MAKE_PATH,
  type MadeModels,
  PLAYGROUND_MODEL_DEFAULT,
  PLAYGROUND_PATH,
  type PlaygroundGroup,
} from '../../contracts/playground.ts'
import { findOne } from '../../domain/logs/index.ts'
import { groupOffers } from '../../domain/pricing/index.ts'
import { translate } from '../../locales/index.ts'
import { kindOf, type ModelKind } from '../../models/kinds.ts'
import { siteOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import type { PageRequest } from '../list-page.ts'
import { chatsOf, modelsOf } from '../offered-models.ts'
import { render } from '../page.tsx'

/** What is not offered counts as absent. */
const Query = z.object({
  group: z.string().optional(),
  model: z.string().optional(),
  expired: z.string().optional(),
  /** Id of the log entry whose messages are taken over. */
  call: rowId,
})

export const playgroundPages = new Elysia()
  .use(guard)
  .get(PLAYGROUND_PATH, page => show(page), { userPage: 'signedIn', query: Query })
  .get(MAKE_PATH, page => showMake(page), { userPage: 'signedIn' })

type PlaygroundPage = Omit<PageRequest<z.output<typeof Query>>, 'list_path'>

async function show({ request, server, visit, caller, query }: PlaygroundPage): Promise<Response> {
  const groups = groupsOf(caller.group)
  const { group, models } = await groupFor(caller.group, groups, query)
  const names = models.map(({ name }) => name)
  const model = [query.model ?? '', PLAYGROUND_MODEL_DEFAULT].find(name => names.includes(name)) ?? names[0] ?? ''
  const content = (
    <Playground
      user_id={caller.id}
      base={`${visit.status.server_address || siteOf(request, server)}/v1`}
      {...{ groups, group, models, model }}
      chosen={query.group === group || query.model === model || query.call !== undefined}
      messages={await messagesOf(caller, query.call)}
      expired={query.expired !== undefined}
    />
  )
  return render(request, visit, content, { title: translate(visit.language, 'playground.title') })
}

/** Of a call that its reader finds in the usage log: their own one, or any one for administrators. */
async function messagesOf({ id, role }: SessionUser, call: number | undefined): Promise<LoggedMessage[]> {
  const row = call === undefined ? undefined : await findOne(role >= Role.admin ? {} : { user_id: id }, call)
  return row ? loggedMessages(detailsOf(row)) : []
}

async function showMake({ request, visit, caller }: Omit<PlaygroundPage, 'query'>): Promise<Response> {
  const groups = groupsOf(caller.group)
  const models: MadeModels = {}
  for (const { name } of groups) {
    const names = (await modelsOf(caller.group, name)).map(model => model.name)
    const ofKind = (kind: ModelKind) => names.filter(model => kindOf(model) === kind && isSubmitted(model))
    models[name] = {
      ...{ pictures: ofKind('images'), drawings: ofKind('drawings') },
      ...{ music: ofKind('music'), videos: ofKind('videos') },
    }
  }
  const group = groups.find(({ name }) => Object.values(models[name]!).some(list => list.length)) ?? groups[0]!
  const content = <Make user_id={caller.id} groups={groups} group={group.name} models={models} />
  return render(request, visit, content, { title: translate(visit.language, 'playground.make') })
}

/** Other drawings begin with a button of one, and lyrics are a part of a song. */
const isSubmitted = (model: string) =>
  !/^(?:mj|swap|suno)_/.test(model) || model === 'mj_imagine' || model === 'suno_music'

/** The groups that are offered, the user's own first. */
const groupsOf = (group: string): PlaygroundGroup[] =>
  Object.entries(groupOffers(group))
    .map(([name, offer]) => ({ name, ...offer }))
    .sort((a, b) => Number(b.name === group) - Number(a.name === group))

/** The group of the address, else the first one that offers the model of the address, else the user's own. */
async function groupFor(own: string, groups: PlaygroundGroup[], { group, model }: z.output<typeof Query>) {
  const named = groups.filter(({ name }) => name === group)
  for (const { name } of named.length ? named : groups) {
    const models = await chatsOf(own, name)
    if (named.length || !model || models.some(offered => offered.name === model)) return { group: name, models }
  }
  return { group: groups[0]!.name, models: await chatsOf(own, groups[0]!.name) }
}
