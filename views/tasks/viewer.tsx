/** Viewer of a drawing: the picture with zoom, beside it what is known of it. Keys: + − 0, arrows, Esc. */
import ChevronLeft from 'lucide/dist/esm/icons/chevron-left.mjs'
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import Download from 'lucide/dist/esm/icons/download.mjs'
import Maximize from 'lucide/dist/esm/icons/maximize.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import ZoomIn from 'lucide/dist/esm/icons/zoom-in.mjs'
import ZoomOut from 'lucide/dist/esm/icons/zoom-out.mjs'
import { Layer } from '../../client/components/drawer.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { isSettled } from '../../src/contracts/task.ts'
import { TaskBill } from './bill.tsx'
import { Raw, TaskFacts } from './facts.tsx'
import { Made } from './made.tsx'
import { Operations } from './operations.tsx'
import type { OpenTask } from './task.ts'
import { tasksAt } from './view.ts'
import { actionText } from './words.ts'

interface ViewerProps extends OpenTask {
  /** Ids of the neighbours on the list. */
  older: number | undefined
  newer: number | undefined
}

export function Viewer({ view, task, older, newer }: ViewerProps) {
  const { t } = usePageContext()
  const [picture = ''] = task.pictures
  const name = actionText(task.action, t)
  return (
    <Layer of="viewer" close={tasksAt(view)} labelledby="viewer-title" keepsList>
      <section className="viewer">
        <tollgate-zoom class="viewer-picture" of={task.id}>
          <div className="viewer-bar">
            <Step view={view} to={newer} icon={ChevronLeft} label={t('task.newer')} side="newer" />
            <Step view={view} to={older} icon={ChevronRight} label={t('task.older')} side="older" />
            <span className="flex-1" />
            <ZoomButton zoom="out" icon={ZoomOut} label={t('task.zoom_out')} keys="-" />
            <ZoomButton zoom="fit" icon={Maximize} label={t('task.zoom_fit')} keys="0" />
            <ZoomButton zoom="in" icon={ZoomIn} label={t('task.zoom_in')} keys="+" />
            <a
              className="icon-button"
              href={picture}
              target="_blank"
              rel="noopener"
              aria-label={t('task.open_picture')}
            >
              <Icon of={Download} />
            </a>
            <OverlayLink href={tasksAt(view)} className="icon-button" aria-label={t('ui.close')} data-close>
              <Icon of={X} />
            </OverlayLink>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the picture */}
          <div className="viewer-stage" tabIndex={0} role="group" aria-label={t('task.stage')}>
            <img src={picture} alt={task.prompt || name} draggable={false} />
          </div>
          <output className="sr-only" data-zoomed={t('task.zoomed')} />
        </tollgate-zoom>
        <aside>
          <h2 id="viewer-title">{name}</h2>
          <dl className="facts">
            <TaskFacts view={view} task={task} />
          </dl>
          <Made task={{ ...task, pictures: [] }} />
          <TaskBill task={task} />
          <Raw task={task} />
          {task.operations && !isSettled(task.status) && (
            <p className="buttons">
              <Operations view={view} task={task} />
            </p>
          )}
        </aside>
      </section>
    </Layer>
  )
}

interface StepProps extends Pick<OpenTask, 'view'> {
  /** Id of the task; undefined at an end of the list. */
  to: number | undefined
  icon: typeof X
  label: string
  side: 'older' | 'newer'
}

function Step({ view, to, icon, label, side }: StepProps) {
  if (to === undefined)
    return (
      <button type="button" className="icon-button" disabled aria-label={label}>
        <Icon of={icon} />
      </button>
    )
  return (
    <OverlayLink className="icon-button" href={tasksAt(view, { open: to })} aria-label={label} data-step={side}>
      <Icon of={icon} />
    </OverlayLink>
  )
}

interface ZoomButtonProps {
  zoom: 'in' | 'out' | 'fit'
  icon: typeof X
  label: string
  keys: string
}

const ZoomButton = ({ zoom, icon, label, keys }: ZoomButtonProps) => (
  <button
    type="button"
    className="icon-button script-only"
    data-zoom={zoom}
    aria-label={label}
    aria-keyshortcuts={keys}
    title={`${label} (${keys})`}
  >
    <Icon of={icon} />
  </button>
)
