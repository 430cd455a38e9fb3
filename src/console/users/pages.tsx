/** Routes of the users page: its list and its forms. */
import { Elysia } from 'elysia'
import { messagesAt } from '../../../views/messages/view.ts'
import { userColumns } from '../../../views/users/columns.tsx'
import { ConfirmDeregister } from '../../../views/users/confirm-delete.tsx'
import { UserMenu } from '../../../views/users/row-actions.tsx'
import { usersAddress, usersAt } from '../../../views/users/view.ts'
import { balanceText } from '../../billing/quota.ts'
import { Id } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { AdminTopUp, AmountToAdd } from '../../contracts/top-up.ts'
import { USERS_PATH, type UserAction, UserCreation, UserEdit, UserManagement } from '../../contracts/user.ts'
import type { Visit } from '../../contracts/visit.ts'
import {
  createUser,
  disableUsers,
  editUser,
  enableUsers,
  mailResetLinkFor,
  manageUser,
  regroupUsers,
  signOutEverywhere,
  topUp,
  topUpUsers,
} from '../../domain/account/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { errorsOf } from '../../web/forms.ts'
import { limitIn, limitSent } from '../budget-limit.ts'
import { guard } from '../guard.ts'
import {
  act,
  ByIds,
  back,
  backWithUndoOfRequest,
  confirmDelete,
  idempotent,
  listPage,
  openOverlay,
  Selection,
  submit,
} from '../list-page.ts'
import { redirectTo, renderPart } from '../page.tsx'
import { exportUsers } from './export.ts'
import { creationOf, editOf, topUpOf, UserForm } from './form.ts'
import {
  budgets,
  editDrawer,
  filterOf,
  newDrawer,
  quotaDialog,
  quotaForMany,
  regroup,
  show,
  type UsersPage,
  userFor,
  viewOf,
} from './show.tsx'

const access = { userPage: 'admin', query: usersAddress.query } as const
const ofUser = { ...access, params: Id } as const
const ofUsers = { ...access, params: ByIds } as const

type UserRequest = UsersPage & { params: { id: number } }
type UsersRequest = UsersPage & { params: { id: number[] } }

export const userPages = new Elysia()
  .use(guard)
  .get('/user/edit', () => redirectTo(USERS_PATH), access)
  .get('/user/edit/:id', ({ params }) => redirectTo(usersAt({}, { edit: params.id })), ofUser)
  .use(
    listPage(USERS_PATH, userColumns, 'admin')
      .get('', page => show(page), access)
      .get('/export.csv', ({ caller, query, visit }) => exportUsers(caller, filterOf(query, visit), visit), access)
      .get('/:id', ({ params }) => redirectTo(usersAt({}, { edit: params.id })), ofUser)
      .get('/:id/menu', showMenu, ofUser)
      .post('', create, access)
      .post('/selected', applyToSelected, access)
      .post('/:id', save, ofUser)
      .post('/:id/quota', addQuota, ofUser)
      .post('/:id/manage', manage, ofUser)
      .post('/:id/sign-out', signOut, ofUser)
      .post('/:id/reset-link', mailLink, ofUser)
      .post('/:id/delete', remove, ofUser)
      .post('/:id/budgets', budgets.create, ofUser)
      .post('/budgets/:id', budgets.save, ofUser)
      .post('/budgets/:id/delete', budgets.remove, ofUser)
      .post('/:id/group', setGroup, ofUsers)
      .post('/:id/add-quota', addQuotaToAll, ofUsers),
  )

async function showMenu(page: UserRequest): Promise<Response> {
  const user = await userFor(page, page.params.id)
  return renderPart(page.visit, <UserMenu user={user} view={viewOf(page.query)} />)
}

async function create(page: UsersPage): Promise<Response> {
  const form = UserForm.parse(page.body)
  const work = async () => {
    const { username } = await idempotent(page, form, async key =>
      createUser(page.actor, UserCreation.parse(creationOf(form)), key),
    )
    return back(page, 'user.created', { name: username })
  }
  return submit(page, work, errors => show(page, newDrawer(page, form, errors)))
}

async function save(page: UserRequest): Promise<Response> {
  const { id } = page.params
  const form = { ...UserForm.parse(page.body), ...limitSent(page.body) }
  const work = async () => {
    const edit = UserEdit.parse({ id, ...editOf(form) })
    const { username } = await editUser(page.actor, edit, limitIn(form, page.visit))
    return back(page, 'user.updated', { name: username })
  }
  const opened = openOverlay(page, usersAddress, { edit: id })
  return act(page, () => submit(page, work, async errors => show(opened, await editDrawer(opened, id, form, errors))))
}

async function addQuota(page: UserRequest): Promise<Response> {
  const { id } = page.params
  const { actor, visit } = page
  const form = UserForm.parse(page.body)
  return act(page, async () => {
    try {
      const { username, balance } = await idempotent(page, form, async key =>
        topUp(actor, AdminTopUp.parse({ user_id: id, ...topUpOf(form, visit) }), key),
      )
      return back(page, 'user.quota_done', { name: username, balance: balanceText(balance, visit.status) })
    } catch (error) {
      const opened = openOverlay(page, usersAddress, { quota: id })
      return show(opened, await quotaDialog(opened, id, form, amountErrors(error, visit)))
    }
  })
}

/** The wallet knows no field: what it refuses is shown at the amount. */
function amountErrors(error: unknown, { language }: Visit) {
  const isOfWallet = error instanceof Refusal && error.code.startsWith('wallet.')
  const named = isOfWallet ? new Refusal(error.code, error.params, error.status, 'quota') : error
  const { quota, ...others } = errorsOf(named, language)
  return { ...others, ...(quota && { quota_delta: quota }) }
}

const done: Record<UserAction, MessageKey> = {
  promote: 'user.promoted',
  demote: 'user.demoted',
  disable: 'user.disabled',
  enable: 'user.now_enabled',
  delete: 'user.deleted',
}

async function manage(page: UserRequest): Promise<Response> {
  return act(page, async () => {
    const { id, action } = parse(UserManagement, { id: page.params.id, action: Object(page.body).action })
    if (action === 'delete') return redirectTo(usersAt(viewOf(page.query), { delete: id }))
    const { username: name } = await manageUser(page.actor, id, action)
    if (action !== 'enable' && action !== 'disable') return back(page, done[action], { name })
    return backWithUndoOfRequest(page, done[action], { name })
  })
}

async function signOut(page: UserRequest): Promise<Response> {
  return act(page, async () => {
    const { username } = await signOutEverywhere(page.actor, page.params.id)
    return back(page, 'user.signed_out', { name: username })
  })
}

async function mailLink(page: UserRequest): Promise<Response> {
  return act(page, async () => {
    const { username } = await mailResetLinkFor(page.actor, page.params.id, page.visit.language)
    return back(page, 'user.reset_link_sent', { name: username })
  })
}

async function remove(page: UserRequest): Promise<Response> {
  const { id } = page.params
  const user = await userFor(page, id)
  return confirmDelete(page, {
    name: user.username,
    mismatch: 'user.confirm_name',
    remove: () =>
      act(page, async () => {
        await manageUser(page.actor, id, 'delete')
        return back(page, done.delete, { name: user.username })
      }),
    show: error =>
      show(
        openOverlay(page, usersAddress, { delete: id }),
        <ConfirmDeregister view={viewOf(page.query)} user={user} error={error} />,
      ),
  })
}

/** The buttons of the selection bar. */
async function applyToSelected(page: UsersPage): Promise<Response> {
  const { ids, action } = Selection.parse(page.body)
  if (!ids.length) return back(page, 'user.select_first', {}, 'error')
  if (action === 'group') return redirectTo(usersAt(viewOf(page.query), { regroup: ids }))
  if (action === 'add_quota') return redirectTo(usersAt(viewOf(page.query), { add_quota: ids }))
  if (action === 'message') return redirectTo(messagesAt({}, { new: '', user_ids: ids }))
  return switchAll(page, ids, action === 'enable' ? 'enable' : 'disable')
}

const switches = { enable: enableUsers, disable: disableUsers }

async function switchAll(page: UsersPage, ids: number[], action: keyof typeof switches): Promise<Response> {
  const changed = await switches[action](page.actor, ids)
  return backWithUndoOfRequest(page, ...wordsFor(page, `user.${action}d_many`, changed.length, ids.length))
}

async function addQuotaToAll(page: UsersRequest): Promise<Response> {
  const ids = page.params.id
  const { actor, visit } = page
  const form = UserForm.parse(page.body)
  try {
    const count = await idempotent(page, form, async key =>
      topUpUsers(actor, ids, AmountToAdd.parse(topUpOf(form, visit)), key),
    )
    return back(page, ...wordsFor(page, 'user.quota_done_many', count, ids.length))
  } catch (error) {
    const opened = openOverlay(page, usersAddress, { add_quota: ids })
    return show(opened, quotaForMany(opened, ids, form, amountErrors(error, visit)))
  }
}

async function setGroup(page: UsersRequest): Promise<Response> {
  const ids = page.params.id
  const { group } = UserForm.parse(page.body)
  const work = async () => {
    const moved = await regroupUsers(page.actor, ids, group)
    return backWithUndoOfRequest(page, ...wordsFor(page, 'user.regrouped', moved.length, ids.length, { group }))
  }
  const opened = openOverlay(page, usersAddress, { regroup: ids })
  return submit(page, work, errors => show(opened, regroup(opened, ids, errors)))
}

type Words = [message: MessageKey, params: MessageParams]

/** Counts the changed users, and those who were left alone. */
function wordsFor(page: UsersPage, key: MessageKey, count: number, selected: number, more = {}): Words {
  const t = translator(page.visit.language)
  const left = selected - count
  return left ? ['user.left_alone', { done: t(key, { count, ...more }), count: left }] : [key, { count, ...more }]
}
