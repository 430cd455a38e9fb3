/** Drawer with a task: what it has made, its facts, its bill, and the raw answer. */
import { Drawer } from '../../client/components/drawer.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { isSettled } from '../../src/contracts/task.ts'
import { TaskBill } from './bill.tsx'
import { Raw, TaskFacts } from './facts.tsx'
import { Made } from './made.tsx'
import { Operations } from './operations.tsx'
import type { OpenTask } from './task.ts'
import { tasksAt } from './view.ts'
import { actionText } from './words.ts'

export function TaskDrawer({ view, task }: OpenTask) {
  const { t } = usePageContext()
  return (
    <Drawer
      title={actionText(task.action, t)}
      close={tasksAt(view)}
      wide
      keepsList
      footer={task.operations && !isSettled(task.status) ? <Operations view={view} task={task} /> : undefined}
    >
      <Made task={task} />
      <dl className="facts">
        <TaskFacts view={view} task={task} />
      </dl>
      <TaskBill task={task} />
      <Raw task={task} />
    </Drawer>
  )
}
