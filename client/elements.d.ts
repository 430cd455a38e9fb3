/** Types of the custom elements in JSX. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react'

type Custom<Attributes = object> = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & Attributes

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'tollgate-island': Custom<{ name: string; props: string; context: string; messages: string }>
      'tollgate-drawer': Custom<{ close: string }>
      'tollgate-selection': Custom
      'tollgate-toast': Custom<{ kind: string }>
      'tollgate-json': Custom
      'tollgate-settings': Custom
      'tollgate-tabs': Custom
      'tollgate-frame': Custom<{ theme: string; language: string }>
      'tollgate-countdown': Custom<{ seconds: number | undefined; waiting: string }>
      'tollgate-copy-once': Custom<{ text: string }>
      'tollgate-human-check': Custom<{ sitekey: string; theme: string }>
      'tollgate-sum': Custom<{ quota: string; currency: string; of: string; class: string }>
      'tollgate-chart': Custom<{ series: string; points: string; total: string; class: string }>
      'tollgate-payable': Custom<{ terms: string; of: string; class: string }>
      'tollgate-palette': Custom<{ failed: string }>
      'tollgate-picker': Custom<{ from: string; strict?: string; none: string }>
      'tollgate-auto-submit': Custom
      'tollgate-call': Custom<{ secret: string; body: string; receipt: string; class: string }>
      'tollgate-price': Custom<{ unit: string; class: string }>
      'tollgate-try-it': Custom<{ model: string; class: string }>
      'tollgate-zoom': Custom<{ of: number; class: string }>
      'tollgate-passkey': Custom<{ ceremony: string; challenge: string; body: string; failed: string; known: string }>
    }
  }
}
