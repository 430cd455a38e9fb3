/** What visitors will see of a text, name or logo that is being edited. */

import type { ReactNode } from 'react'
import { Dialog } from '../../client/components/drawer.tsx'
import { AreaField, TextField } from '../../client/components/field.tsx'
import { Mark } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type FieldView, fieldId, previewPath } from './view.ts'

const idOf = (key: string) => `preview-${key}`

/** Renders the preview of `key` while its field is edited. */
const live = (key: string, trigger: string) => ({
  'hx-post': previewPath(key),
  'hx-trigger': trigger,
  'hx-target': `#${idOf(key)}`,
  'hx-swap': 'outerMorph',
  'hx-sync': 'this:replace',
})

const ROWS = 5
const ROWS_MAX = 14

/** Markdown or HTML with its preview below. */
export function ContentSetting({ field }: { field: FieldView }) {
  const { key, label, help, value, error } = field
  const trigger = value ? 'load, input delay:300ms' : 'input delay:300ms'
  const rows = Math.min(Math.max(value.split('\n').length, ROWS), ROWS_MAX)
  return (
    <div className="grid gap-2">
      <div {...live(key, trigger)}>
        <AreaField {...{ label, help, value, error, rows }} name={key} id={fieldId(key)} mono autoComplete="off" />
      </div>
      <ContentPreview of={key} html="" />
      <PreviewButton of={key} />
    </div>
  )
}

/** The logo, previewed beside the name. */
export function LogoSetting({ field }: { field: FieldView }) {
  const { key, label, help, value, error } = field
  const name = `input delay:300ms from:#${fieldId('SystemName')}`
  return (
    <div className="grid gap-2">
      <div {...live(key, `load, input delay:300ms, ${name}`)}>
        <TextField {...{ label, help, value, error }} name={key} id={fieldId(key)} autoComplete="off" inputMode="url" />
      </div>
      <BrandPreview />
      <PreviewButton of={key} />
    </div>
  )
}

function PreviewButton({ of }: { of: string }) {
  const { t } = usePageContext()
  return (
    <noscript>
      <button type="submit" className="btn btn-sm" formAction={previewPath(of)}>
        {t('assist.preview')}
      </button>
    </noscript>
  )
}

interface ContentPreviewProps {
  of: string
  /** Sanitised. */
  html: string
  /** Address of the site that is shown instead. */
  frame?: string
}

export function ContentPreview({ of, html, frame }: ContentPreviewProps) {
  const { t } = usePageContext()
  return (
    <section id={idOf(of)} className="content-preview" aria-label={t('assist.preview')} hidden={!html && !frame}>
      {frame ? (
        <p className="help m-0">{t('assist.framed', { address: frame })}</p>
      ) : (
        <div className="message-text" dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </section>
  )
}

export function BrandPreview({ name, logo }: { name?: string; logo?: string }) {
  const { t } = usePageContext()
  return (
    <section id={idOf('Logo')} className="content-preview" aria-label={t('assist.preview')} hidden={name === undefined}>
      <span className="brand">
        {logo ? <img className="mark" src={logo} alt="" /> : <Mark />}
        {name}
      </span>
    </section>
  )
}

export function PreviewDialog({ title, close, children }: { title: string; close: string; children: ReactNode }) {
  const { t } = usePageContext()
  return (
    <Dialog title={t('assist.preview_of', { name: title })} close={close} facts={children}>
      <PageLink href={close} className="btn" data-close>
        {t('ui.close')}
      </PageLink>
    </Dialog>
  )
}
