/** Routes of the page on which administrators send messages: its list and its forms. */
import { MESSAGES_PATH, messagesAddress, messagesAt } from '../../../views/messages/view.ts'
import { MessageEdit, NewMessage } from '../../contracts/message.ts'
import { Id } from '../../contracts/paging.ts'
import { createMessage, deleteMessage, editMessage } from '../../domain/messages/index.ts'
import { back, idempotent, listPage, openOverlay, submit } from '../list-page.ts'
import { redirectTo, renderPart, wantsPart } from '../page.tsx'
import { exportMessages } from './export.ts'
import { fieldsOf, MessageForm, textIn } from './form.ts'
import { drawer, filterOf, type MessagesPage, picker, preview, readers, show, viewOf } from './show.tsx'

const access = { userPage: 'admin', query: messagesAddress.query } as const
const ofMessage = { ...access, params: Id } as const

type MessageRequest = MessagesPage & { params: { id: number } }

export const messagePages = listPage(MESSAGES_PATH)
  .get('', page => show(page), access)
  .get('/export.csv', exportCsv, access)
  .get('/:id', ({ params }) => redirectTo(messagesAt({}, { edit: params.id })), ofMessage)
  .get('/:id/recipients', showReaders, ofMessage)
  .post('', create, access)
  .post('/preview', showPreview, access)
  .post('/recipients', showPicker, access)
  .post('/:id', save, ofMessage)
  .post('/:id/delete', remove, ofMessage)

async function exportCsv({ query, visit }: MessagesPage): Promise<Response> {
  return exportMessages(filterOf(viewOf(query), visit.zone), visit)
}

async function create(page: MessagesPage): Promise<Response> {
  const form = MessageForm.parse(page.body)
  const work = async () => {
    await idempotent(page, form, async key => createMessage(page.actor, NewMessage.parse(fieldsOf(form)), key))
    return back(page, 'message.created')
  }
  return submit(page, work, errors => showForm(page, form, errors))
}

async function save(page: MessageRequest): Promise<Response> {
  const { id } = page.params
  const form = MessageForm.parse(page.body)
  const work = async () => {
    await editMessage(page.actor, id, MessageEdit.parse(textIn(form)))
    return back(page, 'message.updated')
  }
  return submit(page, work, errors => showForm({ ...page, query: { ...page.query, edit: id } }, form, errors))
}

async function remove(page: MessageRequest): Promise<Response> {
  await deleteMessage(page.actor, page.params.id)
  return back(page, 'message.deleted')
}

/** While the content is typed, the preview alone; from its button without JavaScript, the page. */
async function showPreview(page: MessagesPage): Promise<Response> {
  const form = MessageForm.parse(page.body)
  return wantsPart(page.request) ? renderPart(page.visit, await preview(form)) : showForm(page, form)
}

async function showPicker(page: MessagesPage): Promise<Response> {
  const form = MessageForm.parse(page.body)
  return wantsPart(page.request) ? renderPart(page.visit, await picker(page, form)) : showForm(page, form)
}

async function showReaders(page: MessageRequest): Promise<Response> {
  const { request, visit, query, params } = page
  if (wantsPart(request)) return renderPart(visit, await readers(page, params.id))
  return redirectTo(messagesAt(viewOf(query), { edit: params.id, recipients: Number(query.recipients) || 1 }))
}

/** The drawer that the form was in, with what was typed. */
async function showForm(page: MessagesPage, form: MessageForm, errors?: Record<string, string>): Promise<Response> {
  const { edit } = page.query
  const opened = openOverlay(page, messagesAddress, edit ? { edit } : 'new')
  return show(opened, await drawer(opened, form, errors), errors ? 422 : 200)
}
