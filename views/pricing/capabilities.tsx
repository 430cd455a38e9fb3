/** What a model takes beside text, and whether it thinks. */
import AudioLines from 'lucide/dist/esm/icons/audio-lines.mjs'
import Brain from 'lucide/dist/esm/icons/brain.mjs'
import Image from 'lucide/dist/esm/icons/image.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Capability } from '../../src/models/capabilities.ts'

const icons = { image_input: Image, audio_input: AudioLines, reasoning: Brain }

/** As marks, in a row of a list. */
export function CapabilityMarks({ of }: { of: readonly Capability[] }) {
  const { t } = usePageContext()
  return (
    <span className="inline-flex gap-1.5 ink-2">
      {of.map(name => (
        <span key={name} title={t(`pricing.${name}`)}>
          <Icon of={icons[name]} small />
          <span className="sr-only">{t(`pricing.${name}`)} </span>
        </span>
      ))}
    </span>
  )
}

/** With their names. */
export function Capabilities({ of }: { of: readonly Capability[] }) {
  const { t } = usePageContext()
  return (
    <span className="inline-flex flex-wrap gap-x-4">
      {of.map(name => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <Icon of={icons[name]} small />
          {t(`pricing.${name}`)}
        </span>
      ))}
    </span>
  )
}
