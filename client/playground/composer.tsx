/** Where a message is written: Enter sends, pictures are pasted, dropped or chosen. */
import ImagePlus from 'lucide/dist/esm/icons/image-plus.mjs'
import Square from 'lucide/dist/esm/icons/square.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { ErrorText } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { IMAGE_BYTES_MAX, IMAGE_TYPES, IMAGES_MAX, type ImageFault, readImages } from './images.ts'
import type { MessageDraft } from './session.ts'
import { usePlayground } from './session-context.tsx'

const MEGABYTE = 1_048_576

interface ComposerProps {
  draft: MessageDraft
  change: (draft: MessageDraft) => void
  running: boolean
}

export function Composer({ draft, change, running }: ComposerProps) {
  const { t } = usePageContext()
  const { session, chosen } = usePlayground()
  const [fault, setFault] = useState<ImageFault>()
  const canSend = !running && chosen.length > 0 && (draft.text.trim() !== '' || draft.images.length > 0)

  function send() {
    if (!canSend) return
    session.send(
      draft,
      chosen.map(({ name }) => name),
    )
    change({ text: '', images: [] })
  }

  async function attach(files: Iterable<File>) {
    const { urls, fault } = await readImages([...files], draft.images.length)
    setFault(fault)
    if (urls.length) change({ ...draft, images: [...draft.images, ...urls] })
  }

  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    if (!data.files.length) return
    event.preventDefault()
    void attach(data.files)
  }

  return (
    <form
      className="composer"
      aria-label={t('playground.message')}
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
      onDragOver={event => event.preventDefault()}
      onDrop={event => take(event, event.dataTransfer)}
    >
      <div>
        <Pictures urls={draft.images} change={images => change({ ...draft, images })} />
        <textarea
          rows={2}
          placeholder={t('playground.write')}
          aria-label={t('playground.message')}
          value={draft.text}
          onChange={event => change({ ...draft, text: event.target.value })}
          onKeyDown={press}
          onPaste={event => take(event, event.clipboardData)}
        />
        {fault && (
          <div role="alert">
            <ErrorText>
              {t(`playground.image_${fault}`, { megabytes: IMAGE_BYTES_MAX / MEGABYTE, count: IMAGES_MAX })}
            </ErrorText>
          </div>
        )}
        <div className="row">
          <Attach attach={attach} />
          <span className="help wide-only">{t('playground.keys')}</span>
          {running ? (
            <button type="button" className="btn" onClick={() => session.stop()}>
              <Icon of={Square} small />
              {t('playground.stop')}
            </button>
          ) : (
            <button type="submit" className="btn btn-primary" disabled={!canSend}>
              {t('playground.send')}
            </button>
          )}
        </div>
      </div>
    </form>
  )
}

function Attach({ attach }: { attach: (files: Iterable<File>) => void }) {
  const { t } = usePageContext()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={t('playground.attach')}
        title={t('playground.attach')}
        onClick={() => input.current?.click()}
      >
        <Icon of={ImagePlus} />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={IMAGE_TYPES.join(',')}
        aria-label={t('playground.attach')}
        onChange={({ target }) => {
          attach([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}

function Pictures({ urls, change }: { urls: string[]; change: (urls: string[]) => void }) {
  const { t } = usePageContext()
  if (!urls.length) return null
  return (
    <ul className="attached">
      {urls.map((url, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may be there twice
        <li key={index}>
          <img src={url} alt={t('playground.picture')} />
          <button
            type="button"
            className="icon-button"
            aria-label={t('playground.picture_remove')}
            onClick={() => change(urls.filter((_, at) => at !== index))}
          >
            <Icon of={X} small />
          </button>
        </li>
      ))}
    </ul>
  )
}
