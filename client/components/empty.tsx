/** Empty states and error notices. */
import RotateCw from 'lucide/dist/esm/icons/rotate-cw.mjs'
import type { ReactNode } from 'react'
import { Copy } from './copy.tsx'
import { Icon } from './icon.tsx'
import { PageLink } from './link.tsx'
import { usePageContext } from './page-context.tsx'

/** `gate`: the list is empty; `slip`: nothing matches the filters. */
const drawings = {
  gate: (
    <>
      <path d="M2 52h76M16 52V27h8v25M58 52V36h6v16M20 27 60 6" />
      <path d="M26 33h30" strokeDasharray="2 4" />
    </>
  ),
  slip: (
    <>
      <path d="M20 6h40v44l-5-4-5 4-5-4-5 4-5-4-5 4-5-4-5 4zM28 16h24M28 24h14" />
      <path d="M28 34h24" strokeDasharray="2 4" />
    </>
  ),
}

export const Empty = ({
  drawing = 'gate',
  text,
  children,
}: {
  drawing?: keyof typeof drawings
  text: ReactNode
  children?: ReactNode
}) => (
  <div className="empty">
    <svg className="drawing" viewBox="0 0 80 56" aria-hidden="true">
      {drawings[drawing]}
    </svg>
    <p>{text}</p>
    {children && <span className="flex flex-wrap justify-center gap-2">{children}</span>}
  </div>
)

/** No row matches the filters. @param all URL of the list without them */
export const NoMatch = ({ text, all, children }: { text: ReactNode; all: string; children: ReactNode }) => (
  <Empty drawing="slip" text={text}>
    <PageLink className="btn" href={all}>
      {children}
    </PageLink>
  </Empty>
)

/** Error with a retry link and the request id to copy. */
export function ErrorNotice({
  title,
  text,
  retry,
  request_id,
}: {
  title: string
  text: ReactNode
  retry?: string
  request_id?: string
}) {
  const { t } = usePageContext()
  return (
    <div className="empty !justify-items-start !text-left !py-4" role="alert">
      <p className="!max-w-none">
        <b className="block text-base-content">{title}</b>
        {text}
      </p>
      <span className="flex flex-wrap gap-2 items-center">
        {retry && (
          <a className="btn" href={retry}>
            <Icon of={RotateCw} />
            {t('ui.retry')}
          </a>
        )}
        {request_id && (
          <Copy text={request_id} className="btn btn-ghost mono shows-copied">
            {request_id}
          </Copy>
        )}
      </span>
    </div>
  )
}
