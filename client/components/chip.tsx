/** Chip with a remove button. */
import X from 'lucide/dist/esm/icons/x.mjs'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface RemovableChipProps {
  name: string
  /** Shown behind the name. */
  mark?: ReactNode
  /** Accessible name of the remove button. */
  remove: string
  onRemove: () => void
}

export function RemovableChip({ name, mark, remove, onRemove }: RemovableChipProps) {
  return (
    <span className="flag inline-flex items-center gap-1">
      {name}
      {mark && <small className="text-(--ink-warning)">{mark}</small>}
      <button
        type="button"
        className="-my-0.5 -mr-1.5 grid size-6 cursor-pointer place-items-center"
        aria-label={remove}
        onClick={onRemove}
      >
        <Icon of={X} small />
      </button>
    </span>
  )
}
