/** Text of a textarea that an island writes: the form gets an input event for each change, as from typing. */
import { useEffect, useRef, useState } from 'react'

export function useAnnouncedText(initial: string) {
  const [text, setText] = useState(initial)
  const textarea = useRef<HTMLTextAreaElement>(null)
  const announced = useRef(initial)
  useEffect(() => {
    // React changes the value without an input event.
    if (text !== announced.current) textarea.current?.dispatchEvent(new Event('input', { bubbles: true }))
    announced.current = text
  }, [text])
  return { text, setText, textarea }
}
