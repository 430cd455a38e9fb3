/** Dialog with the prompt of a task, or with its English one. */
import { Copy } from '../../client/components/copy.tsx'
import { Dialog } from '../../client/components/drawer.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { TaskItem } from './task.ts'
import { type TasksView, tasksAt } from './view.ts'

interface PromptDialogProps {
  view: TasksView
  task: Pick<TaskItem, 'id' | 'prompt' | 'prompt_en'>
  isEnglish: boolean
}

export function PromptDialog({ view, task, isEnglish }: PromptDialogProps) {
  const { t } = usePageContext()
  const text = isEnglish ? task.prompt_en : task.prompt
  const other = isEnglish ? task.prompt : task.prompt_en
  return (
    <Dialog
      title={t(isEnglish ? 'task.prompt_en' : 'task.prompt')}
      close={tasksAt(view)}
      keepsList
      facts={<p className="prompt-text">{text}</p>}
    >
      <OverlayLink className="btn btn-ghost" href={tasksAt(view)} data-close>
        {t('ui.close')}
      </OverlayLink>
      {other !== '' && other !== text && (
        <OverlayLink className="btn" href={tasksAt(view, { [isEnglish ? 'prompt' : 'prompt_en']: task.id })}>
          {t(isEnglish ? 'task.prompt' : 'task.prompt_en')}
        </OverlayLink>
      )}
      <Copy text={text} className="btn">
        {t('ui.copy')}
      </Copy>
    </Dialog>
  )
}
