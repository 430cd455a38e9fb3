/** Routes of the API keys page: its list and its forms. */

import { tokenColumns } from '../../../views/tokens/columns.tsx'
import { ConfirmDelete, confirmationOf } from '../../../views/tokens/confirm-delete.tsx'
import { TOKENS_PATH, tokensAction, tokensAddress, tokensAt } from '../../../views/tokens/view.ts'
import { Id } from '../../contracts/paging.ts'
import { notFound } from '../../contracts/refusal.ts'
import { SentCallParams, SentCallQuery } from '../../contracts/sent-call.ts'
import { NewToken, type Token, TokenEdit, TokenStatus, UNDO_TOKENS_MAX } from '../../contracts/token.ts'
import { withLimit } from '../../domain/account/index.ts'
import {
  createTokens,
  deleteTokens,
  disableTokens,
  editToken,
  enableToken,
  restoreTokens,
  rotateToken,
  tokenOf,
  tokensOf,
  undoDisabling,
} from '../../domain/tokens/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { type LimitForm, limitIn, limitSent } from '../budget-limit.ts'
import {
  ByIds,
  back,
  backWithUndo,
  confirmDelete,
  idempotent,
  listPage,
  openOverlay,
  Selection,
  submit,
} from '../list-page.ts'
import { redirectTo } from '../page.tsx'
import { showCall } from './calls.tsx'
import { exportTokens } from './export.ts'
import { fieldsIn, newFieldsIn, sentForm } from './form.ts'
import { budgets, drawer, show, showSteps, type TokensPage, viewOf } from './show.tsx'

const access = { userPage: 'signedIn', query: tokensAddress.query } as const
const ofToken = { ...access, params: Id } as const

type TokenRequest = TokensPage & { params: { id: number } }
type TokensRequest = TokensPage & { params: { id: number[] } }

export const tokenPages = listPage(TOKENS_PATH, tokenColumns)
  .get('', page => show(page), access)
  .get('/export.csv', ({ caller, query, visit }) => exportTokens(caller.id, query.keyword, visit), access)
  .get('/first-steps', showSteps, { ...access, userPage: 'admin' })
  .get('/calls/:request_id', showCall, { userPage: 'signedIn', query: SentCallQuery, params: SentCallParams })
  .get('/:id', ({ params }) => redirectTo(tokensAt({}, { edit: params.id })), ofToken)
  .post('', create, access)
  .post('/selected', applyToSelected, access)
  .post('/:id', save, ofToken)
  .post('/:id/enable', enable, ofToken)
  .post('/:id/disable', page => disable(page, [page.params.id]), ofToken)
  .post('/:id/undo-disabling', undoDisabled, { ...access, params: ByIds })
  .post('/:id/budgets', budgets.create, ofToken)
  .post('/budgets/:id', budgets.save, ofToken)
  .post('/budgets/:id/delete', budgets.remove, ofToken)
  .post('/:id/rotate', rotate, ofToken)
  .post('/:id/restore', restore, { ...access, params: ByIds })
  .post('/:id/delete', remove, { ...access, params: ByIds })

async function create(page: TokensPage): Promise<Response> {
  const form = { ...sentForm(page.body), ...limitSent(page.body) }
  const work = async () => {
    const tokens = await idempotent(page, form, async key =>
      createTokens(page.caller, NewToken.parse(newFieldsIn(form, page.visit)), key, limitSentBy(page, form)),
    )
    return redirectTo(tokensAt({}, { created: tokens.map(token => token.id) }))
  }
  return submit(page, work, async errors => show(page, await drawer(page, form, errors)))
}

async function save(page: TokenRequest): Promise<Response> {
  const { id } = page.params
  const form = { ...sentForm(page.body), ...limitSent(page.body) }
  const work = async () => {
    const { count, ...fields } = fieldsIn(form, page.visit)
    const { name } = await editToken(page.caller, TokenEdit.parse({ id, ...fields }), limitSentBy(page, form))
    return back(page, 'token.updated', { name })
  }
  const opened = openOverlay(page, tokensAddress, { edit: id })
  return submit(page, work, async errors => show(opened, await drawer(opened, form, errors)))
}

const limitSentBy = ({ caller, visit }: TokensPage, form: LimitForm) =>
  withLimit({ user_id: caller.id }, 'token', limitIn(form, visit))

async function enable(page: TokenRequest): Promise<Response> {
  const { id } = page.params
  const { status } = await tokenOf(page.caller.id, id)
  const { name } = await enableToken(page.caller.id, id)
  if (status !== TokenStatus.disabled) return back(page, 'token.enabled_done', { name })
  return backWithUndo(page, 'token.enabled_done', { name }, tokensAction({}, `${id}/disable`))
}

/** What was disabled before stays so when this is taken back. */
async function disable(page: TokensPage, ids: number[]): Promise<Response> {
  const tokens = await disableTokens(page.caller.id, ids)
  if (!tokens.length) return backAfter(page, 'disabled_done', await tokensOf(page.caller.id, ids))
  const { message, params } = wordsFor('disabled_done', tokens)
  return backWithUndo(page, message, params, tokensAction({}, `${idsOf(tokens)}/undo-disabling`))
}

async function undoDisabled(page: TokensRequest): Promise<Response> {
  return backAfter(page, 'enabled_done', await undoDisabling(page.caller.id, page.params.id))
}

const idsOf = (tokens: Token[]) => tokens.map(({ id }) => id).join(',')

async function rotate(page: TokenRequest): Promise<Response> {
  const { name } = await rotateToken(page.actor, page.params.id)
  return back(page, 'token.rotated', { name })
}

async function remove(page: TokensRequest): Promise<Response> {
  const ids = page.params.id
  if (ids.length <= UNDO_TOKENS_MAX) return removeWithUndo(page, ids)
  const tokens = await tokensOf(page.caller.id, ids)
  if (!tokens.length) throw notFound('token.not_found')
  return confirmDelete(page, {
    name: confirmationOf(tokens, translator(page.visit.language)),
    mismatch: 'token.confirm_name',
    remove: async () => backAfter(page, 'deleted_done', await deleteTokens(page.caller.id, ids)),
    show: error =>
      show(
        openOverlay(page, tokensAddress, { delete: ids }),
        <ConfirmDelete view={viewOf(page.query)} tokens={tokens} error={error} />,
      ),
  })
}

async function removeWithUndo(page: TokensPage, ids: number[]): Promise<Response> {
  const tokens = await deleteTokens(page.caller.id, ids)
  const undo = tokensAction({}, `${idsOf(tokens)}/restore`)
  const { message, params } = wordsFor('deleted_done', tokens)
  return backWithUndo(page, message, params, undo)
}

async function restore(page: TokensRequest): Promise<Response> {
  return backAfter(page, 'restored', await restoreTokens(page.caller.id, page.params.id))
}

/** The buttons of the selection bar. */
async function applyToSelected(page: TokensPage): Promise<Response> {
  const { ids, action } = Selection.parse(page.body)
  const view = viewOf(page.query)
  if (!ids.length) return back(page, 'token.select_first', {}, 'error')
  if (action === 'keys') return redirectTo(tokensAt(view, { keys: ids }))
  if (action === 'delete' && ids.length <= UNDO_TOKENS_MAX) return removeWithUndo(page, ids)
  if (action === 'delete') return redirectTo(tokensAt(view, { delete: ids }))
  return disable(page, ids)
}

type Done = 'disabled_done' | 'enabled_done' | 'deleted_done' | 'restored'

function backAfter(page: TokensPage, done: Done, tokens: Token[]): Response {
  const { message, params } = wordsFor(done, tokens)
  return back(page, message, params)
}

/** Names one token, or counts several. @throws Refusal 404 when there is none */
function wordsFor(done: Done, tokens: Token[]): { message: MessageKey; params: MessageParams } {
  const [token] = tokens
  if (!token) throw notFound('token.not_found')
  if (tokens.length === 1) return { message: `token.${done}`, params: { name: token.name } }
  return { message: `token.${done}_many`, params: { count: tokens.length } }
}
