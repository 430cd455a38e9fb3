/** Icons: `of` is one drawing of lucide-react, imported alone. Decorative: the control needs a name of its own. */
import type { ComponentType, SVGProps } from 'react'

/** The style sheet sets these for all icons. */
const styledByCss = {
  xmlns: undefined,
  fill: undefined,
  stroke: undefined,
  strokeLinecap: undefined,
  strokeLinejoin: undefined,
} as const

export function Icon({
  of: Drawing,
  small,
  className,
}: {
  of: ComponentType<SVGProps<SVGSVGElement>>
  small?: boolean
  className?: string
}) {
  return (
    <Drawing
      className={`icon${small ? ' icon-small' : ''}${className ? ` ${className}` : ''}`}
      {...styledByCss}
      aria-hidden="true"
    />
  )
}

/** Logo: two posts and a raised arm. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path fill="currentColor" d="M4 11.5h5V30H4zM23 21.5a1.5 1.5 0 0 1 1.5-1.5h2a1.5 1.5 0 0 1 1.5 1.5V30h-5z" />
      <path className="arm" d="M6.5 11.5 26 3.75" fill="none" strokeWidth={5} strokeLinecap="round" />
    </svg>
  )
}
