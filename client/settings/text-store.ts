/** A textarea that holds the text of a setting while an island edits it: the form sees each change as typed. */
import { useEffect, useRef, useState } from 'react'

/** @param onTyped gets what was not written here: typing, and the default that the page fills in */
export function useTextStore(initial: string, onTyped?: (text: string) => void) {
  const [text, setText] = useState(initial)
  const textarea = useRef<HTMLTextAreaElement>(null)
  const latest = useRef(initial)
  useEffect(() => {
    const node = textarea.current
    // A native listener: React does not hear of a value that the page sets.
    const listen = () => {
      if (!node || node.value === latest.current) return
      latest.current = node.value
      setText(node.value)
      onTyped?.(node.value)
    }
    node?.addEventListener('input', listen)
    return () => node?.removeEventListener('input', listen)
  })

  function write(changed: string) {
    latest.current = changed
    setText(changed)
    const node = textarea.current
    if (!node) return
    node.value = changed
    node.dispatchEvent(new Event('input', { bubbles: true }))
  }

  return { text, write, textarea }
}
