/** Address of the palette, and what it finds. */

import type { ComponentProps } from 'react'
import type { Icon } from '../../client/components/icon.tsx'
import { addressOf } from '../../src/contracts/list-address.ts'
import { PALETTE_PATH } from '../../src/contracts/palette.ts'

export const paletteAt = (q?: string): string => addressOf(PALETTE_PATH, { q } as { page?: number })

export interface PaletteItem {
  label: string
  /** What tells it from others of its kind: an id, a path, a key. */
  hint?: string
  /** Balance, state or price, at the end of the line. */
  value?: string
  icon: ComponentProps<typeof Icon>['of']
  href?: string
  /** A preference that it switches, in place of an address. */
  preference?: { name: string; value: string }
}

export interface PaletteGroup {
  title: string
  items: PaletteItem[]
}
