/** A picture in model output. The address of one from another site could carry the conversation away: it waits for a click. */
import ImageDrawing from 'lucide/dist/esm/icons/image.mjs'
import { useState } from 'react'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { isInlinePicture, remotePicture } from './safe-link.ts'

export function Picture({ address, text }: { address: string; text: string }) {
  const { t } = usePageContext()
  const [loaded, setLoaded] = useState(false)
  const remote = remotePicture(address)
  if (isInlinePicture(address) || (loaded && remote)) {
    return <img className="picture" src={address} alt={text} referrerPolicy="no-referrer" />
  }
  if (!remote) return text || address
  return (
    <span className="picture-waiting">
      <Icon of={ImageDrawing} />
      <span>{t('playground.picture_from', { host: remote.host, text: text || t('playground.picture') })}</span>
      <button type="button" className="btn btn-ghost btn-sm" onClick={() => setLoaded(true)}>
        {t('playground.picture_load')}
      </button>
    </span>
  )
}
