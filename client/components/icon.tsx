/** Icons: `of` is one drawing of lucide, imported alone. Decorative: the control needs a name of its own. */
import type { IconNode } from 'lucide'
import { createElement, type ReactNode } from 'react'

export function Icon({ of, small, className }: { of: IconNode; small?: boolean; className?: string }) {
  const classes = `icon${small ? ' icon-small' : ''}${className ? ` ${className}` : ''}`
  return (
    <svg viewBox="0 0 24 24" className={classes} aria-hidden="true">
      {shapesOf(of)}
    </svg>
  )
}

/** A page has the same few drawings a hundred times. */
const shapes = new WeakMap<IconNode, ReactNode>()

function shapesOf(drawing: IconNode): ReactNode {
  const known = shapes.get(drawing)
  if (known) return known
  const made = drawing.map(([tag, attributes], key) => createElement(tag, { ...attributes, key }))
  shapes.set(drawing, made)
  return made
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
