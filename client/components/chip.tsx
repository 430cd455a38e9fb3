import X from 'lucide-react/icons/x'
import { Icon } from './icon.tsx'

interface RemovableChipProps {
  name: string
  /** What the cross says to those who do not see it. */
  remove: string
  onRemove: () => void
}

/** One of several chosen things, with the cross that lets go of it. */
export function RemovableChip({ name, remove, onRemove }: RemovableChipProps) {
  return (
    <span className="flag inline-flex items-center gap-1">
      {name}
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
