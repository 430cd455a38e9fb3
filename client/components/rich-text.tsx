/** Text in which only `<b>` is markup. */
import type { ReactNode } from 'react'

export const RichText = ({ text }: { text: string }): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text
  text.split(/<b>(.*?)<\/b>/).map((piece, index) => (index % 2 ? <b key={index}>{piece}</b> : piece))
