/** What a task has made: songs and videos that play, lyrics, pictures, texts. */
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Song, TaskDetail } from './task.ts'
import { actionText } from './words.ts'

export function Made({ task }: { task: TaskDetail }) {
  const { t } = usePageContext()
  const { songs, lyrics, videos, pictures, description, links } = task
  const name = actionText(task.action, t)
  return (
    <>
      {songs.map((song, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was made keeps its order
        <SongCard key={at} song={song} />
      ))}
      {lyrics && (
        <article className="lyrics">
          <h3>{lyrics.title}</h3>
          <p>{lyrics.text}</p>
        </article>
      )}
      {videos.map(({ src, poster }) => (
        // biome-ignore lint/a11y/useMediaCaption: makers give none
        <video
          key={src}
          className="made"
          controls
          preload="metadata"
          src={src}
          poster={poster || undefined}
          aria-label={name}
        />
      ))}
      {pictures.map(src => (
        <a key={src} href={src} target="_blank" rel="noopener">
          <img className="made" src={src} alt={task.prompt || name} loading="lazy" />
        </a>
      ))}
      {description && <p className="made-text">{description}</p>}
      {links.map(href => (
        <p key={href} className="mono">
          <a href={href} target="_blank" rel="noopener noreferrer">
            {href}
          </a>
        </p>
      ))}
    </>
  )
}

const SECONDS_PER_MINUTE = 60

/** `3:05` */
const lengthText = (seconds: number) =>
  `${Math.floor(seconds / SECONDS_PER_MINUTE)}:${String(Math.floor(seconds % SECONDS_PER_MINUTE)).padStart(2, '0')}`

function SongCard({ song: { title, audio, video, cover, seconds, tags, words } }: { song: Song }) {
  const { t } = usePageContext()
  const name = title || t('task.untitled')
  return (
    <article className="song">
      {cover ? <img src={cover} alt="" loading="lazy" /> : <span className="no-cover" aria-hidden="true" />}
      <div>
        <h3>
          {name} {seconds > 0 && <small>{lengthText(seconds)}</small>}
        </h3>
        {tags && <p className="help">{tags}</p>}
        {audio ? (
          // biome-ignore lint/a11y/useMediaCaption: the words stand below
          <audio controls preload="none" src={audio} aria-label={t('task.play', { name })} />
        ) : (
          <p className="help">{t('task.not_yet')}</p>
        )}
        {video && (
          <a className="btn btn-ghost btn-sm" href={video} target="_blank" rel="noopener">
            {t('task.open_video')}
          </a>
        )}
        {words && (
          <details>
            <summary className="fold">{t('task.words')}</summary>
            <p className="words">{words}</p>
          </details>
        )}
      </div>
    </article>
  )
}
