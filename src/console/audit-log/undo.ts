/** Takes back changes that the audit log holds: those of one request by its toast, or one entry of the log. */
import { z } from 'zod'
import { type AuditEntry, UNDO_PATH } from '../../contracts/audit-log.ts'
import { notFound } from '../../contracts/refusal.ts'
import { isUserChangeUndoable, undoUserChanges } from '../../domain/account/index.ts'
import { changesOfRequest } from '../../domain/audit-log/index.ts'
import { isChannelChangeUndoable, undoChannelChanges } from '../../domain/channels/index.ts'
import { isOptionChangeUndoable, undoOptionChanges } from '../../domain/options/index.ts'
import { isCodeChangeUndoable, undoCodeChanges } from '../../domain/redemption/index.ts'
import { act, back, listPage, type PageRequest } from '../list-page.ts'

const kinds = {
  channel: { isUndoable: isChannelChangeUndoable, undo: undoChannelChanges },
  option: { isUndoable: isOptionChangeUndoable, undo: undoOptionChanges },
  redemption: { isUndoable: isCodeChangeUndoable, undo: undoCodeChanges },
  user: { isUndoable: isUserChangeUndoable, undo: undoUserChanges },
}

const kindOf = ({ target_kind: kind }: AuditEntry) =>
  Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : undefined

/** Whether a change can be taken back, unless there was a later one. */
export const isUndoable = (entry: AuditEntry): boolean => kindOf(entry)?.isUndoable(entry) ?? false

/** Changes of one request concern one kind of thing. */
export function undoChanges(page: PageRequest, changes: AuditEntry[]): Promise<Response> {
  return act(page, async () => {
    const [first] = changes
    const kind = first && kindOf(first)
    if (!kind || !changes.every(isUndoable)) throw notFound()
    const undone = await kind.undo(page.actor, changes)
    if (!undone) return back(page, 'audit.changed_since', {}, 'error')
    const left = changes.length - undone
    return left ? back(page, 'audit.partly_undone', { count: left }) : back(page, 'revision.undone')
  })
}

const ByRequest = z.object({ request_id: z.string() })

/** An administrator takes back changes of their own. */
export const undoPages = listPage(UNDO_PATH, undefined, 'admin').post('/:request_id', undoRequest, {
  userPage: 'admin',
  params: ByRequest,
})

async function undoRequest(page: PageRequest & { params: z.output<typeof ByRequest> }): Promise<Response> {
  const changes = await changesOfRequest(page.actor, page.params.request_id)
  return undoChanges({ ...page, list_path: '/' }, changes)
}
