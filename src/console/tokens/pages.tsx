import { Elysia } from 'elysia'
import { z } from 'zod'
import { hiddenOf } from '../../../views/tokens/columns.tsx'
import { ConfirmDelete, confirmationOf } from '../../../views/tokens/confirm-delete.tsx'
import { TOKENS_PATH, tokensAt } from '../../../views/tokens/view.ts'
import { preferenceCookie } from '../../contracts/preference.ts'
import { notFound } from '../../contracts/refusal.ts'
import { NewToken, type Token, TokenEdit } from '../../contracts/token.ts'
import {
  createTokens,
  deleteTokens,
  disableTokens,
  editToken,
  enableToken,
  tokensOf,
} from '../../domain/tokens/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import { errorsOf, forms } from '../../web/forms.ts'
import { idempotent } from '../../web/idempotent-form.ts'
import { localPath } from '../../web/origin.ts'
import { guard } from '../guard.ts'
import { redirectTo } from '../page.tsx'
import { fieldsOf, TokenForm } from './form.ts'
import { type Asked, COLUMNS_COOKIE, drawer, idsOf, mannerOf, show, showSteps, TokensQuery, viewOf } from './show.tsx'

const strings = z.array(z.string()).default([])
const Chosen = z.object({
  ids: strings.transform(idsOf),
  action: z.string(),
})
const Confirmed = z.object({ confirm: z.string().default('') })
const Back = z.object({ returnTo: z.string().optional() })
const Ticked = z.object({ columns: strings })
const ById = z.object({ id: z.coerce.number().pipe(z.int()) })

type Posted = Asked & { body: unknown }

export const tokenPages = new Elysia()
  .use(guard)
  .use(forms)
  .get(TOKENS_PATH, show, { own: 'signedIn', query: TokensQuery })
  .get(`${TOKENS_PATH}/first-steps`, showSteps, { own: 'admin', query: TokensQuery })
  .post(TOKENS_PATH, post, { own: 'signedIn', query: TokensQuery })
  .post(`${TOKENS_PATH}/columns`, chooseColumns, { own: 'signedIn', query: TokensQuery })
  .post(
    `${TOKENS_PATH}/:id/enable`,
    async asked => {
      const { name } = await enableToken(asked.caller.id, asked.params.id)
      return back(asked, 'token.enabled_done', { name })
    },
    { own: 'signedIn', query: TokensQuery, params: ById },
  )
  .post(
    `${TOKENS_PATH}/:id/disable`,
    async asked => told(asked, 'disabled_done', await disableTokens(asked.caller.id, [asked.params.id])),
    { own: 'signedIn', query: TokensQuery, params: ById },
  )

/** The forms of the page, each sent to the address at which it is open. */
async function post(asked: Posted): Promise<Response> {
  const { query } = asked
  if (query.selected !== undefined) return withSelected(asked)
  if (query.delete.length) return remove(asked)
  return query.edit ? save(asked, query.edit) : create(asked)
}

async function create(asked: Posted): Promise<Response> {
  const typed = TokenForm.parse(asked.body)
  try {
    const created = await makeOnce(asked.caller.id, typed, () => idsOfMade(asked, typed))
    return redirectTo(tokensAt({}, { created }))
  } catch (error) {
    return show(asked, await drawer(asked, typed, errorsOf(error, asked.visit.language)), 422)
  }
}

/** Without JavaScript nothing holds back a second click. */
const makeOnce = idempotent<string>()

async function idsOfMade({ caller, visit }: Posted, typed: TokenForm): Promise<string> {
  const made = await createTokens(caller, NewToken.parse(fieldsOf(typed, mannerOf(visit))))
  return made.map(token => token.id).join(',')
}

async function save(asked: Posted, id: number): Promise<Response> {
  const typed = TokenForm.parse(asked.body)
  try {
    const { count, ...fields } = fieldsOf(typed, mannerOf(asked.visit))
    const { name } = await editToken(asked.caller, TokenEdit.parse({ id, ...fields }))
    return back(asked, 'token.updated', { name })
  } catch (error) {
    return show(asked, await drawer(asked, typed, errorsOf(error, asked.visit.language)), 422)
  }
}

async function remove(asked: Posted): Promise<Response> {
  const { visit, caller, query } = asked
  const tokens = await tokensOf(caller.id, query.delete)
  if (!tokens.length) throw notFound('token.not_found')
  const name = confirmationOf(tokens)
  if (Confirmed.parse(asked.body).confirm.trim() === name) {
    return told(asked, 'deleted_done', await deleteTokens(caller.id, query.delete))
  }
  const error = translator(visit.language)('token.confirm_name', { name })
  return show(asked, <ConfirmDelete view={viewOf(query)} tokens={tokens} error={error} />, 422)
}

async function withSelected(asked: Posted): Promise<Response> {
  const { ids, action } = Chosen.parse(asked.body)
  const view = viewOf(asked.query)
  if (!ids.length) return back(asked, 'token.select_first', {}, 'error')
  if (action === 'keys') return redirectTo(tokensAt(view, { keys: ids.join(',') }))
  if (action === 'delete') return redirectTo(tokensAt(view, { delete: ids.join(',') }))
  return told(asked, 'disabled_done', await disableTokens(asked.caller.id, ids))
}

async function chooseColumns(asked: Posted): Promise<Response> {
  const hidden = hiddenOf(Ticked.parse(asked.body).columns)
  const { returnTo } = Back.parse(asked.body)
  return redirectTo(localPath(returnTo, TOKENS_PATH), undefined, {
    'set-cookie': preferenceCookie(COLUMNS_COOKIE, hidden.join(',')),
  })
}

/** Back to where the form was, saying how many tokens something was done to. */
function told(asked: Posted, done: 'disabled_done' | 'deleted_done', tokens: Token[]): Response {
  const [token] = tokens
  if (!token) throw notFound('token.not_found')
  if (tokens.length === 1) return back(asked, `token.${done}`, { name: token.name })
  return back(asked, `token.${done}_many`, { count: tokens.length })
}

function back(
  asked: Posted,
  sentence: MessageKey,
  facts: Record<string, string | number>,
  kind: 'success' | 'error' = 'success',
): Response {
  const { returnTo } = Back.parse(asked.body)
  return redirectTo(localPath(returnTo, TOKENS_PATH), { kind, text: translator(asked.visit.language)(sentence, facts) })
}
