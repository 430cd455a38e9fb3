/** A search inside a form: it changes nothing that is saved, so the drawer does not ask about it. */
import Search from 'lucide/dist/esm/icons/search.mjs'
import type { Ref } from 'react'
import { Icon } from '../components/icon.tsx'

interface SearchFieldProps {
  ref?: Ref<HTMLInputElement>
  label: string
  value: string
  change: (text: string) => void
}

export const SearchField = ({ ref, label, value, change }: SearchFieldProps) => (
  <span className="input">
    <Icon of={Search} small className="ink-3" />
    <input
      ref={ref}
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={event => event.stopPropagation()}
      onChange={({ target }) => change(target.value)}
      onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
      autoComplete="off"
    />
  </span>
)
