/** A task of the playground: how far it is, what it has made, and what it cost. */
import type { MadeFile } from '../../src/contracts/playground.ts'
import { isFinal } from '../../src/contracts/task.ts'
import { Quota } from '../components/money.tsx'
import { usePageContext } from '../components/page-context.tsx'
import type { MadeEntry } from './make.tsx'

export function Made({ entry: { prompt, task, error } }: { entry: MadeEntry }) {
  const { t } = usePageContext()
  return (
    <li className="grid gap-2 border border-[var(--rule)] rounded-lg p-4">
      <p className="m-0 wrap-anywhere">{prompt}</p>
      {error !== undefined && (
        <p className="error-text m-0" role="alert">
          {error}
        </p>
      )}
      {error === undefined && !task && <p className="help m-0">{t('make.sending')}</p>}
      {task && !isFinal(task.status) && (
        <label className="help flex items-center gap-3">
          {t('make.making', { percent: task.progress })}
          <progress className="flex-1" max={100} value={task.progress} />
        </label>
      )}
      {task?.status === 'FAILURE' && <p className="error-text m-0">{t('make.failed', { reason: task.fail_reason })}</p>}
      {task?.files.map(file => (
        <File key={file.url} file={file} prompt={prompt} />
      ))}
      {task?.text && <pre className="m-0 whitespace-pre-wrap">{task.text}</pre>}
      {task && isFinal(task.status) && (
        <p className="help m-0">
          {t('make.cost')} <Quota of={task.charged - task.refunded} />
          {task.refunded > 0 && (
            <>
              {' · '}
              {t('make.refunded')} <Quota of={task.refunded} />
            </>
          )}
        </p>
      )}
    </li>
  )
}

function File({ file: { kind, url }, prompt }: { file: MadeFile; prompt: string }) {
  const { t } = usePageContext()
  if (kind === 'image') return <img className="max-w-full w-96 rounded" src={url} alt={prompt} />
  // biome-ignore lint/a11y/useMediaCaption: what a model has made has no captions
  if (kind === 'audio') return <audio controls src={url} aria-label={t('make.song')} />
  // biome-ignore lint/a11y/useMediaCaption: what a model has made has no captions
  return <video className="max-w-full w-96 rounded" controls playsInline src={url} aria-label={t('make.video')} />
}
