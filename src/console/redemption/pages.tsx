/** Routes of the redemption codes page: its list and its forms. */
import { codeColumns } from '../../../views/redemption/columns.tsx'
import { ConfirmDelete, confirmationOf, DeleteNamed } from '../../../views/redemption/confirm-delete.tsx'
import { codesAddress, codesAt } from '../../../views/redemption/view.ts'
import { Id } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import {
  CODES_PATH,
  CodeEdit,
  CodeName,
  CodeSwitch,
  codeFields,
  NewCodes,
  newCodeFields,
  RedemptionStatus,
} from '../../contracts/redemption.ts'
import { notFound } from '../../contracts/refusal.ts'
import {
  codesOf,
  countCodesNamed,
  countDisabledCodes,
  createCodes,
  deleteCodes,
  deleteCodesNamed,
  deleteDisabledCodes,
  disableCodes,
  editCode,
  switchCode,
} from '../../domain/redemption/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import { formFields } from '../../web/forms.ts'
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
import { redirectTo } from '../page.tsx'
import { exportCodes } from './export.ts'
import { type CodesPage, confirmDisabled, confirmNamed, drawer, show, viewOf } from './show.tsx'

const access = { userPage: 'admin', query: codesAddress.query } as const
const ofCode = { ...access, params: Id } as const

type CodeRequest = CodesPage & { params: { id: number } }
type CodesRequest = CodesPage & { params: { id: number[] } }

export const redemptionPages = listPage(CODES_PATH, codeColumns, 'admin')
  .get('', page => show(page), access)
  .get('/export.csv', ({ query, visit }) => exportCodes(searchOf(query), visit), access)
  .get('/:id', ({ params }) => redirectTo(codesAt({}, { edit: params.id })), ofCode)
  .post('', create, access)
  .post('/selected', applyToSelected, access)
  .post('/count-by-name', countNamed, access)
  .post('/delete-by-name', removeNamed, access)
  .post('/delete-disabled', removeDisabled, access)
  .post('/:id', save, ofCode)
  .post('/:id/switch', switchStatus, ofCode)
  .post('/:id/delete', remove, { ...access, params: ByIds })

/** The chosen codes, or the search of the list. */
const searchOf = ({ codes, keyword, state }: CodesPage['query']) => (codes.length ? { ids: codes } : { keyword, state })

async function create(page: CodesPage): Promise<Response> {
  const form = newCodeFields.sent(page.body)
  const work = async () => {
    const fields = NewCodes.parse(newCodeFields.read(form, page.visit))
    const codes = await idempotent(page, form, key => createCodes(page.actor, fields, key))
    return redirectTo(codesAt({}, { created: codes.map(code => code.id) }))
  }
  return submit(page, work, async errors => show(page, await drawer(page, form, errors)))
}

async function save(page: CodeRequest): Promise<Response> {
  const { id } = page.params
  const form = codeFields.sent(page.body)
  const work = async () => {
    const changes = CodeEdit.parse({ id, ...codeFields.read(form, page.visit) })
    const { name } = await editCode(page.actor, changes)
    return back(page, 'redemption.updated', { name })
  }
  const opened = openOverlay(page, codesAddress, { edit: id })
  return act(page, () => submit(page, work, async errors => show(opened, await drawer(opened, form, errors))))
}

async function switchStatus(page: CodeRequest): Promise<Response> {
  return act(page, async () => {
    const { status } = formFields(page.body)
    const { name } = await switchCode(page.actor, parse(CodeSwitch, { id: page.params.id, status: Number(status) }))
    const isOn = Number(status) === RedemptionStatus.unused
    return backWithUndoOfRequest(page, isOn ? 'redemption.enabled_done' : 'redemption.disabled_done', { name })
  })
}

async function remove(page: CodesRequest): Promise<Response> {
  const ids = page.params.id
  const codes = await codesOf(ids)
  if (!codes.length) throw notFound('redemption.not_found')
  return confirmDelete(page, {
    name: confirmationOf(codes),
    mismatch: 'redemption.confirm_name',
    remove: async () => backAfter(page, 'redemption.deleted', await deleteCodes(page.actor, ids)),
    show: error => {
      const opened = openOverlay(page, codesAddress, { delete: ids })
      return show(opened, <ConfirmDelete view={viewOf(page.query)} codes={codes} error={error} />)
    },
  })
}

/** The first step of a deletion by name: the name leads to the dialog with the number of its codes. */
async function countNamed(page: CodesPage): Promise<Response> {
  const { name = '' } = formFields(page.body)
  const view = viewOf(page.query)
  const refused = (error?: string) =>
    show(openOverlay(page, codesAddress, 'delete_named'), <DeleteNamed view={view} name={name} error={error} />)
  const work = async () => {
    const { name: named } = CodeName.parse({ name })
    if (await countCodesNamed(named)) return redirectTo(codesAt(view, { named }))
    return refused(translator(page.visit.language)('redemption.none_named', { name: named }))
  }
  return submit(page, work, errors => refused(errors.name))
}

async function removeNamed(page: CodesPage): Promise<Response> {
  const { name } = parse(CodeName, { name: page.query.named })
  return confirmDelete(page, {
    name: String(await countCodesNamed(name)),
    mismatch: 'redemption.confirm_name',
    remove: async () => backAfter(page, 'redemption.deleted', await deleteCodesNamed(page.actor, name)),
    show: async error => show(openOverlay(page, codesAddress, { named: name }), await confirmNamed(page, name, error)),
  })
}

async function removeDisabled(page: CodesPage): Promise<Response> {
  return confirmDelete(page, {
    name: String(await countDisabledCodes()),
    mismatch: 'redemption.confirm_name',
    remove: async () => backAfter(page, 'redemption.deleted', await deleteDisabledCodes(page.actor)),
    show: async error => show(openOverlay(page, codesAddress, 'delete_disabled'), await confirmDisabled(page, error)),
  })
}

/** The buttons of the selection bar. */
async function applyToSelected(page: CodesPage): Promise<Response> {
  const { ids, action } = Selection.parse(page.body)
  const view = viewOf(page.query)
  if (!ids.length) return back(page, 'redemption.select_first', {}, 'error')
  if (action === 'copy') return redirectTo(codesAt(view, { codes: ids }))
  if (action === 'delete') return redirectTo(codesAt(view, { delete: ids }))
  const count = await disableCodes(page.actor, ids)
  const left = ids.length - count
  if (!left) return backWithUndoOfRequest(page, 'redemption.disabled_many', { count })
  const done = translator(page.visit.language)('redemption.disabled_many', { count })
  return backWithUndoOfRequest(page, 'redemption.left_alone', { done, count: left })
}

const backAfter = (page: CodesPage, key: MessageKey, count: number): Response => back(page, key, { count })
